import AccessPolicy
import Foundation
import Testing
import VaultServer

/// The line in time that a revocation draws, and a right that is taken away, seen from the sockets.
@Suite struct RevocationLineTests {
  private let gate = Gate()
  private let server: VaultOnSockets
  private let gateway: TestClient
  private let admin: TestClient

  init() throws {
    server = try VaultOnSockets(gate)
    gateway = try TestClient(server.path(.client))
    admin = try TestClient(server.path(.admin))
    let made = gateway.ask("key.public", #"{"namespace":"door","purpose":"signing"}"#)
    #expect(made?.contains(#""created":true"#) == true)
  }

  /// Holds a signature between computing and numbering.
  ///
  /// - Returns: what the gateway was told in the end, and nothing else came.
  private func signing(_ meanwhile: () -> Void) -> String? {
    gate.close()
    gateway.send(
      TestClient.line("key.sign", #"{"namespace":"door","message":"AA==","format":"raw"}"#))
    gate.waitUntilReached()
    meanwhile()
    gate.open()
    let answer = gateway.line()
    gateway.endInput()
    admin.endInput()
    #expect((gateway.linesToEnd() + admin.linesToEnd()).isEmpty)
    return answer
  }

  @Test func `a finished signature is withheld when its namespace is revoked meanwhile`() throws {
    let answer = signing {
      let revoked = admin.ask("namespace.revoke", #"{"namespace":"door"}"#)
      #expect(revoked?.contains(#""revoked":true"#) == true)
    }
    #expect(answer?.contains(#""code":"revoked""#) == true, "\(answer ?? "nothing")")
    #expect(answer?.contains("signature\":") == false)
  }

  @Test func `a finished signature is withheld when the right to it is taken away meanwhile`()
    throws
  {
    let answer = signing {
      let set = admin.ask("policy.set", VaultOnSockets.policy("policy.*"))
      #expect(set?.contains(#""restrictive":true"#) == true, "\(set ?? "nothing")")
    }
    #expect(answer?.contains(#""code":"forbidden""#) == true, "\(answer ?? "nothing")")
    #expect(answer?.contains("signature\":") == false)
  }

  @Test func `it goes out when the new policy gives the right as well`() throws {
    let answer = signing {
      let set = admin.ask("policy.set", VaultOnSockets.policy("policy.* key.sign"))
      #expect(set?.contains(#""revision":2"#) == true, "\(set ?? "nothing")")
    }
    #expect(answer?.contains(#""signature":"#) == true, "\(answer ?? "nothing")")
  }
}
