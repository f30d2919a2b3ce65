/// Where random octets come from that are not secret.
public protocol RandomSource: Sendable {
  /// Makes random octets.
  ///
  /// - Parameter count: how many.
  /// - Returns: exactly that many.
  func randomBytes(_ count: Int) -> [UInt8]
}
