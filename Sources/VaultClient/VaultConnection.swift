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
  /// - Returns: the result, without secrets that it may hold.
  /// - Throws: ``VaultClientError``.
  public mutating func call(
    _ request: VaultRequest, timeout: Int? = nil
  ) throws(VaultClientError) -> JSONValue {
    let deadline = Deadline(after: timeout ?? self.timeout)
    guard !request.method.givesSecret else { return try callForSecrets(request, deadline).value }
    try send(RequestEnvelope(id: nextID(), request: request), deadline)
    return try receive(deadline)
  }

  /// Makes a call whose result may hold secrets; they go from the kernel into guarded memory.
  ///
  /// - Parameters:
  ///   - request: the call.
  ///   - timeout: how long it may take, in milliseconds, when not as long as the others.
  /// - Returns: the result, its secrets apart.
  /// - Throws: ``VaultClientError``.
  public mutating func callForSecrets(
    _ request: VaultRequest, timeout: Int? = nil
  ) throws(VaultClientError) -> SecretAnswer {
    try callForSecrets(request, Deadline(after: timeout ?? self.timeout))
  }

  private mutating func callForSecrets(
    _ request: VaultRequest, _ deadline: Deadline
  ) throws(VaultClientError) -> SecretAnswer {
    // Whatever came unasked would be taken for the beginning of the answer.
    guard pending.isEmpty else { throw .malformedAnswer }
    try send(RequestEnvelope(id: nextID(), request: request), deadline)
    let line = try SecretInput.line(from: stream, deadline: deadline)
    let response: SecretResponse
    do throws(VaultAPIError) {
      response = try line.withBytes { octets throws(VaultAPIError) in
        try SecretResponse(octets, to: request.method)
      }
    } catch {
      guard case .noSecretMemory = error else { throw .malformedAnswer }
      throw .secretMemory(.lockedMemoryExhausted(needed: line.count, limit: nil))
    }
    return try response.result(for: lastID)
  }

  private mutating func send(
    _ envelope: RequestEnvelope, _ deadline: Deadline
  ) throws(VaultClientError) {
    if let line = RequestLine.encode(envelope) { return try send(line.span, deadline) }
    let line: SecretLine
    do throws(WireCodingError) {
      line = try RequestLine.encodeSecret(envelope)
    } catch {
      guard case .secretMemory(let reason) = error else {
        throw .requestTooLong(limit: VaultLimits.requestOctets)
      }
      throw .secretMemory(reason)
    }
    try line.withBytes { octets throws(VaultClientError) in try send(octets, deadline) }
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
    let deadline = Deadline(after: timeout)
    try send(writer.bytes.span, deadline)
    return try receive(deadline)
  }

  private mutating func nextID() -> RequestID {
    lastID += 1
    return .number(lastID)
  }

  private mutating func send(
    _ line: Span<UInt8>, _ deadline: Deadline
  ) throws(VaultClientError) {
    guard line.count <= VaultLimits.requestOctets + 1 else {
      throw .requestTooLong(limit: VaultLimits.requestOctets)
    }
    // A server that turns a caller away answers and closes at once, so that sending fails while
    // the reason is already here to be read.
    _ = try stream.send(line, deadline: deadline)
  }

  private mutating func receive(_ deadline: Deadline) throws(VaultClientError) -> JSONValue {
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
