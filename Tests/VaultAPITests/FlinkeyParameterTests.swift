import SecureMemory
import Testing
import VaultAPI
import WireCoding

@Suite struct FlinkeyParameterTests {
  private let lease = Sample.base64(16)

  private func complete(_ rest: String) -> String {
    Sample.line(
      .flinkeyRenewComplete,
      #"{"namespace":"a","environment":"uat","user":7,"lease":"\#(lease)",\#(rest)}"#)
  }

  private func failure(_ object: String) throws -> FlinkeyStepFailure? {
    guard
      case .flinkeyRenewComplete(let params) =
        try Sample.decode(complete(#""failure":\#(object)"#)).request
    else { return nil }
    return params.failure
  }

  @Test func `a lifetime is a number or its text`() throws {
    for text in ["3600", "\"3600\""] {
      let line = complete(#""token":"t","expires_in":\#(text)"#)
      guard case .flinkeyRenewComplete(let params) = try Sample.decode(line).request else {
        return
      }
      #expect(params.expiresIn == 3600)
    }
  }

  @Test func `a failure has what its reason needs, and no more`() throws {
    #expect(try failure(#"{"reason":"no_answer"}"#)?.reason == .noAnswer)
    #expect(try failure(#"{"reason":"assignment_ended"}"#)?.reason == .assignmentEnded)
    #expect(try failure(#"{"reason":"http_status","status":401}"#)?.status == 401)
    #expect(
      try failure(#"{"reason":"oauth_error","oauth_error":"invalid_grant"}"#)?.oauthError
        == "invalid_grant")
    for (object, field) in [
      (#"{}"#, "failure.reason"), (#"{"reason":"other"}"#, "failure.reason"),
      (#"{"reason":"http_status"}"#, "failure.status"),
      (#"{"reason":"http_status","status":99}"#, "failure.status"),
      (#"{"reason":"no_answer","status":500}"#, "failure.status"),
      (#"{"reason":"oauth_error"}"#, "failure.oauth_error"),
      (#"{"reason":"http_status","status":400,"oauth_error":"x"}"#, "failure.oauth_error"),
      (#"{"reason":"oauth_error","oauth_error":"é"}"#, "failure.oauth_error"),
    ] {
      let error = Sample.error(complete(#""failure":\#(object)"#))
      #expect(error?.code == .invalidParams && error?.field == field, "\(object)")
    }
    for member in [#""expires_in":1"#, #""tapkey_user":"u""#] {
      let error = Sample.error(complete(#""failure":{"reason":"no_answer"},\#(member)"#))
      #expect(error?.code == .invalidParams)
    }
    #expect(Sample.error(complete(#""user_id":1"#))?.field == "user_id")
  }

  @Test func `credentials go into guarded memory and are written back the same`() throws {
    let secrets = ["k\\u0065y", "üser \\\"x\\\"", "p&=+ %", "sdk"]
    let line = Sample.line(
      .flinkeyStore,
      #"{"namespace":"a","environment":"production","credentials":{"api_key":"\#(secrets[0])","#
        + #""user_name":"\#(secrets[1])","password":"\#(secrets[2])","sdk_key":"\#(secrets[3])","#
        + #""customer_id":1}}"#)
    let envelope = try Sample.decode(line)
    #expect(RequestLine.encode(envelope) == nil)
    let again = try RequestLine.encodeSecret(envelope).withBytes { octets throws(RequestRefusal) in
      try RequestEnvelope.decode(octets)
    }
    for request in [envelope.request, again.request] {
      guard case .flinkeyStore(let params) = request, let found = params.credentials else {
        Issue.record("another method")
        return
      }
      let texts = ["key", "üser \"x\"", "p&=+ %", "sdk"]
      for (box, text) in zip(
        [found.apiKey, found.userName, found.password, found.sdkKey], texts)
      {
        #expect(box.bytes.isEqual(to: try SecretBytes(copying: Array(text.utf8).span)))
      }
      #expect(found.customerID == 1 && found.dropTokens == nil)
    }
  }

  @Test func `a fault in a part is told by its path`() {
    func field(_ rest: String) -> String? {
      Sample.error(
        Sample.line(.flinkeyStore, #"{"namespace":"a","environment":"uat",\#(rest)}"#))?.field
    }
    let whole = #""api_key":"k","user_name":"u","password":"p","sdk_key":"s","customer_id":1"#
    #expect(field(#""credentials":{\#(whole)},"box":{"user":1,"box_id":"C1-08-F0-94"}"#) == "box")
    #expect(field(#""credentials":{\#(whole),"x":1}"#) == "credentials.x")
    #expect(field(#""credentials":{"api_key":""}"#) == "credentials.api_key")
    #expect(field(#""credentials":{"api_key":"k"}"#) == "credentials.user_name")
    #expect(field(#""box":{"user":0}"#) == "box.user")
    #expect(field(#""box":{"user":1,"box_id":"C1"}"#) == "box.box_id")
  }
}
