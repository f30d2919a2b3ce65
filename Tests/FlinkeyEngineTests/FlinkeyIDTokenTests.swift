import EngineTestSupport
import Foundation
import SecureMemory
import Testing

@testable import FlinkeyEngine

/// When IdTokens end, against tokens that Python writes (`Tests/Interop/flinkey_token_oracle.py`).
@Suite struct FlinkeyIDTokenTests {
  private struct Case: Decodable {
    let token: String
    let expiry: Int64?
  }

  private func expiry(_ token: String) throws -> Int64 {
    try FlinkeyIDToken.expiry(of: SecretBytes(copying: Array(token.utf8).span))
  }

  private static let due = FlinkeyError.parameter(
    "token", due: "a JSON Web Token whose payload has an integer \"exp\"")

  @Test func `reads the end of each token that Python makes, and refuses what Python spoils`()
    throws
  {
    let cases = try PythonOracle("flinkey_token_oracle").ask(["seed": 1], for: [Case].self)
    #expect(cases.count > 1000 && cases.contains { $0.expiry == nil })
    for one in cases {
      if let end = one.expiry {
        #expect(try expiry(one.token) == end, "\(one.token)")
      } else {
        #expect(throws: Self.due, "\(one.token)") { _ = try expiry(one.token) }
      }
    }
  }

  @Test func `a token longer than any is not read`() throws {
    let payload = Data(#"{"exp":5}"#.utf8).base64EncodedString()
    let head = "a." + payload + "."
    #expect(try expiry(head + String(repeating: "b", count: 8192 - head.utf8.count)) == 5)
    #expect(throws: Self.due) {
      _ = try expiry(head + String(repeating: "b", count: 8193 - head.utf8.count))
    }
  }
}
