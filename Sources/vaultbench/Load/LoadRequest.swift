/// A line to send, with an identifier that is always 1: what comes back is only counted.
struct LoadRequest {
  let octets: [UInt8]

  /// A call of the protocol.
  ///
  /// - Parameters:
  ///   - method: its method.
  ///   - params: its parameters as JSON.
  init(_ method: String, _ params: String = "{}") {
    octets = Array(
      (#"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"# + "\n").utf8)
  }

  static let health = LoadRequest("health")

  /// Asks for a signature of a digest.
  static func sign(_ namespace: String) -> LoadRequest {
    let digest = "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqo="
    return LoadRequest(
      "key.sign", #"{"namespace":"\#(namespace)","digest":"\#(digest)","format":"raw"}"#)
  }

  /// Makes a namespace and its signing key.
  static func makeKey(_ namespace: String) -> LoadRequest {
    LoadRequest("key.public", #"{"namespace":"\#(namespace)","purpose":"signing"}"#)
  }
}
