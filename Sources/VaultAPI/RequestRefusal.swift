/// A line that is no request, and how to answer it.
public struct RequestRefusal: Error, Hashable, Sendable {
  /// The request's `id` as far as it could be read; the answer carries `null` otherwise.
  public let id: RequestID?
  /// The method, when it is a known one.
  public let method: VaultMethod?
  /// The error to answer.
  public let error: RPCError
}
