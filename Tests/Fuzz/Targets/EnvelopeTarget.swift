import SecureMemory
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
      let written = EnvelopeTarget.line(envelope)
      let again = try RequestEnvelope.decode(written.span)
      require(EnvelopeTarget.line(again) == written, "a request written is read back")
    } catch {
      let line = ResponseLine.failure(id: error.id, error.error)
      let response = try? VaultResponse(line.span)
      require(response?.id == error.id, "a refusal's answer carries the id")
      let failure = ServerFailure(error.error)
      require(response?.outcome == .failure(failure), "a refusal's answer is read back")
    }
  }

  /// Answer lines, as a client reads them.
  static let response = FuzzTarget(
    "response", words: ["\"result\":{}", "\"error\":{", "\"code\":-32001", "\"message\":\"\"", "}"]
  ) { input in
    guard let response = try? VaultResponse(input) else { return }
    guard case .failure(let failure) = response.outcome, let code = failure.code else { return }
    let error = RPCError(
      code, message: failure.message, field: failure.field, retry: failure.retry)
    let line = ResponseLine.failure(id: response.id, error)
    let again = try? VaultResponse(line.span)
    require(again?.outcome == .failure(ServerFailure(error)), "an error is read back")
  }
}

private enum EnvelopeTarget {
  /// A request as it is sent; what secrets are in it are the fuzzer's.
  static func line(_ envelope: RequestEnvelope) -> [UInt8] {
    let isSecret = envelope.request.method.takesSecret
    let plain = RequestLine.encode(envelope)
    require((plain == nil) == isSecret, "a line with a secret needs guarded memory")
    if let plain { return plain }
    do {
      return try RequestLine.encodeSecret(envelope, capacity: 1 << 20).withBytes { copy($0) }
    } catch {
      fatalError("no memory")
    }
  }
}
