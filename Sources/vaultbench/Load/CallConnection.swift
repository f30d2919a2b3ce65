import VaultAPI
import WireCoding

/// A connection that makes several calls at once and reads their results.
final class CallConnection {
  private let socket: LineSocket

  /// Connects.
  init(_ path: String) throws(BenchFailure) {
    socket = try LineSocket(path)
  }

  /// Makes calls at once.
  ///
  /// - Parameter requests: the calls; none may take a secret.
  /// - Returns: their results, in the order of the calls.
  /// - Throws: ``BenchFailure``, also when one of them is refused.
  func calls(_ requests: [VaultRequest]) throws(BenchFailure) -> [JSONValue] {
    var lines: [UInt8] = []
    for (index, request) in requests.enumerated() {
      let envelope = RequestEnvelope(id: .number(Int64(index)), request: request)
      guard let line = RequestLine.encode(envelope) else {
        throw BenchFailure("\(request.method.name) takes a secret")
      }
      lines += line
    }
    try socket.send(lines)
    var results = [JSONValue?](repeating: nil, count: requests.count)
    var left = requests.count
    var failure: BenchFailure?
    while left > 0 {
      try socket.receive { line in
        left -= 1
        let response = try? VaultResponse(Array(line).span)
        guard case .number(let index) = response?.id, case .success(let result) = response?.outcome,
          results.indices.contains(Int(index))
        else {
          failure = BenchFailure("the vault answers: \(String(decoding: line, as: UTF8.self))")
          return
        }
        results[Int(index)] = result
      }
    }
    if let failure { throw failure }
    return results.compactMap { $0 }
  }
}
