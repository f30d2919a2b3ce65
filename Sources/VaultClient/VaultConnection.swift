import SecureMemory
public import VaultAPI
public import WireCoding

/// A connection to the vault that makes one call after another.
///
/// A call blocks until its answer is there or its time is over. After an error other than
/// ``VaultClientError/server(_:)`` the place in the stream is not known: let the connection go.
public struct VaultConnection: ~Copyable {
  /// The most octets of an answer: a full page of the longest names takes a quarter of it.
  public static let answerLimit = 1 << 20

  private let stream: UnixStream
  private let timeout: Int
  private var lastID: Int64 = 0
  /// What was received and is not yet part of an answer.
  private var pending: [UInt8] = []

  /// Connects.
  ///
  /// - Parameters:
  ///   - path: where the socket is.
  ///   - timeout: how long connecting, and then each call, may take, in milliseconds.
  /// - Throws: ``VaultClientError``.
  public init(path: String, timeout: Int = 30_000) throws(VaultClientError) {
    stream = try UnixStream(path: path, deadline: Deadline(after: timeout))
    self.timeout = timeout
  }

  /// Takes over a connected socket.
  init(connected stream: consuming UnixStream, timeout: Int) {
    self.stream = stream
    self.timeout = timeout
  }

  /// Makes a call; its secrets are in guarded memory until the kernel has taken them.
  ///
  /// - Parameters:
  ///   - request: the call.
  ///   - timeout: how long it may take, in milliseconds, when not as long as the others.
  /// - Returns: the result.
  /// - Throws: ``VaultClientError``.
  public mutating func call(
    _ request: VaultRequest, timeout: Int? = nil
  ) throws(VaultClientError) -> JSONValue {
    let envelope = RequestEnvelope(id: nextID(), request: request)
    let deadline = Deadline(after: timeout ?? self.timeout)
    if let line = RequestLine.encode(envelope) {
      return try exchange(line.span, deadline)
    }
    let line: SecretLine
    do throws(WireCodingError) {
      line = try RequestLine.encodeSecret(envelope)
    } catch {
      guard case .secretMemory(let reason) = error else {
        throw .requestTooLong(limit: VaultLimits.requestOctets)
      }
      throw .secretMemory(reason)
    }
    return try line.withBytes { octets throws(VaultClientError) in
      try exchange(octets, deadline)
    }
  }

  /// Makes a call that this client need not know.
  ///
  /// - Parameters:
  ///   - method: the name of the method.
  ///   - params: its parameters, an object without secrets.
  /// - Returns: the result.
  /// - Throws: ``VaultClientError``.
  public mutating func call(
    method: String, params: JSONValue
  ) throws(VaultClientError) -> JSONValue {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("jsonrpc")
    writer.string("2.0")
    writer.name("id")
    nextID().encode(into: &writer)
    writer.name("method")
    writer.string(method)
    writer.name("params")
    params.encode(into: &writer)
    writer.endObject()
    writer.append(UInt8(ascii: "\n"))
    return try exchange(writer.bytes.span, Deadline(after: timeout))
  }

  private mutating func nextID() -> RequestID {
    lastID += 1
    return .number(lastID)
  }

  private mutating func exchange(
    _ line: Span<UInt8>, _ deadline: Deadline
  ) throws(VaultClientError) -> JSONValue {
    guard line.count <= VaultLimits.requestOctets + 1 else {
      throw .requestTooLong(limit: VaultLimits.requestOctets)
    }
    // A server that turns a caller away answers and closes at once, so that sending fails while
    // the reason is already here to be read.
    _ = try stream.send(line, deadline: deadline)
    let answer = try receiveLine(deadline)
    guard let response = try? VaultResponse(answer.span) else { throw .malformedAnswer }
    return try response.result(for: lastID)
  }

  private mutating func receiveLine(_ deadline: Deadline) throws(VaultClientError) -> [UInt8] {
    var searched = 0
    while true {
      if let end = pending[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        guard end <= Self.answerLimit else { throw .answerTooLong(limit: Self.answerLimit) }
        let line = Array(pending[..<end])
        pending.removeSubrange(...end)
        return line
      }
      searched = pending.count
      guard searched <= Self.answerLimit else { throw .answerTooLong(limit: Self.answerLimit) }
      let count = try stream.receive(into: &pending, atMost: 16 << 10, deadline: deadline)
      // Half a line is no answer.
      guard count > 0 else { throw searched > 0 ? .malformedAnswer : .closed }
    }
  }
}
