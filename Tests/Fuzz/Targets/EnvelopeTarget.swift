import VaultAPI
import WireCoding

extension FuzzTarget {
  /// Request lines: what is taken is written and taken again; what is refused has an answer.
  static let envelope = FuzzTarget(
    "envelope",
    words: VaultMethod.allCases.map { "\"method\":\"\($0.name)\"" } + [
      "\"id\":1", "\"jsonrpc\":\"2.0\"", "\"params\":{", "\"namespace\":\"a/b\"", "},", "null",
      "\"message\":\"QQ==\"", "\"passphrase\":\"\\u00e9\"", "\"key\":\"", "[", "]", ",", "\\u0061",
    ]
  ) { input in
    do throws(RequestRefusal) {
      let envelope = try RequestEnvelope.decode(input)
      guard let line = RequestLine.encode(envelope) else {
        return require(envelope.request.method.takesSecret, "only secrets need guarded memory")
      }
      let again = try RequestEnvelope.decode(line.span)
      require(RequestLine.encode(again) == line, "a request written is read back")
    } catch {
      let line = ResponseLine.failure(id: error.id, error.error)
      let response = try? VaultResponse(line.span)
      require(response?.id == error.id, "a refusal's answer carries the id")
      require(response?.outcome == .failure(error.error), "a refusal's answer is read back")
    }
  }

  /// Answer lines, as a client reads them.
  static let response = FuzzTarget(
    "response", words: ["\"result\":{}", "\"error\":{", "\"code\":-32001", "\"message\":\"\"", "}"]
  ) { input in
    guard let response = try? VaultResponse(input) else { return }
    guard case .failure(let error) = response.outcome else { return }
    let line = ResponseLine.failure(id: response.id, error)
    require((try? VaultResponse(line.span))?.outcome == .failure(error), "an error is read back")
  }
}
