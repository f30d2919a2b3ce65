import Foundation
import Testing

/// Many callers at once, and what one caller's act means to the others.
@Suite struct ConcurrencyTests {
  @Test func `64 callers that race for a new name all get the one key`() throws {
    let vault = try TestVault()
    let sockets = try (0..<64).map { _ in try vault.connect() }
    for name in ["race/a", "race/b", "race/c"] {
      // Everybody has asked before anybody is heard.
      for socket in sockets {
        try socket.post("key.public", ["namespace": name, "purpose": "signing"])
      }
      let answers = try sockets.map { try $0.answer() }
      #expect(answers.filter { $0.flag("created") == true }.count == 1)
      #expect(Set(answers.map { $0.text("point") ?? $0.line }).count == 1)
      #expect(answers.allSatisfy { $0.integer("version") == 1 })
    }
  }

  @Test func `two purposes of one name that race are two keys in one namespace`() throws {
    let vault = try TestVault()
    let sockets = try (0..<16).map { _ in try vault.connect() }
    for (index, socket) in sockets.enumerated() {
      let purpose = index % 2 == 0 ? "signing" : "presentation"
      try socket.post("key.public", ["namespace": "race", "purpose": purpose])
    }
    let answers = try sockets.map { try $0.answer() }
    #expect(answers.filter { $0.flag("created") == true }.count == 2)
    #expect(Set(answers.map { $0.text("point") ?? $0.line }).count == 2)
    let described = try sockets[0].call("namespace.get", ["namespace": "race"])
    #expect((described.result?["keys"] as? [Any])?.count == 2, "\(described.line)")
  }

  @Test func `no answer numbered after a revocation carries a signature`() throws {
    let vault = try TestVault()
    let admin = try vault.connect(.admin)
    let signers = try (0..<4).map { _ in try vault.connect() }
    for round in 0..<5 {
      let name = "door/\(round)"
      _ = try admin.call("key.public", ["namespace": name, "purpose": "signing"])
      let digest = Data(repeating: UInt8(round), count: 32).base64EncodedString()
      let params = ["namespace": name, "digest": digest, "format": "raw"]
      for signer in signers {
        for _ in 0..<40 { try signer.post("key.sign", params) }
      }
      // It is in force while most of them are under way.
      _ = try signers[0].answer()
      let revoked = try admin.call("namespace.revoke", ["namespace": name])
      let line = try #require(revoked.integer("seq"), "\(revoked.line)")
      var late = 0
      for (index, signer) in signers.enumerated() {
        for _ in 0..<(index == 0 ? 39 : 40) {
          let answer = try signer.answer()
          guard answer.result != nil else {
            #expect(answer.code == "revoked", "\(answer.line)")
            late += 1
            continue
          }
          #expect(answer.integer("seq") ?? .max < line, "\(answer.line)")
        }
      }
      // What is asked now was certainly asked afterwards.
      #expect(try signers[1].call("key.sign", params).code == "revoked", "\(late) late")
      #expect(try signers[2].call("key.public", ["namespace": name]).code == "revoked")
    }
  }

  @Test func `a revocation ends the presentations of other connections`() throws {
    let vault = try TestVault()
    let gateway = try vault.connect()
    _ = try gateway.call("key.public", ["namespace": "door"])
    let opened = try gateway.call("presentation.open", Self.opening)
    let presentation = try #require(opened.text("presentation"), "\(opened.line)")
    let exchange = ["presentation": presentation, "message": Self.busyEvent]
    #expect(try gateway.call("presentation.exchange", exchange).result != nil)

    let admin = try vault.connect(.admin)
    let revoked = try admin.call("namespace.revoke", ["namespace": "door"])
    #expect(revoked.flag("revoked") == true, "\(revoked.line)")
    let halted = try gateway.call("presentation.exchange", exchange)
    #expect(["revoked", "not_found"].contains(halted.code), "\(halted.line)")
    #expect(try gateway.call("presentation.open", Self.opening).code == "revoked")
  }

  @Test func `a presentation belongs to the connection that opened it`() throws {
    let vault = try TestVault()
    let (first, second) = (try vault.connect(), try vault.connect())
    _ = try first.call("key.public", ["namespace": "door"])
    let opened = try first.call("presentation.open", Self.opening)
    let presentation = try #require(opened.text("presentation"), "\(opened.line)")
    let exchange = ["presentation": presentation, "message": Self.busyEvent]
    #expect(try second.call("presentation.exchange", exchange).code == "not_found")
    #expect(
      try second.call("presentation.close", ["presentation": presentation]).code == "not_found")
    // The admin socket opens no back door either.
    let admin = try vault.connect(.admin)
    #expect(try admin.call("presentation.exchange", exchange).code == "not_found")
    #expect(try first.call("presentation.exchange", exchange).result != nil)
    let closed = try first.call("presentation.close", ["presentation": presentation])
    #expect(closed.text("state") == "closed")
    #expect(try first.call("presentation.exchange", exchange).code == "not_found")
  }

  @Test func `closing a connection ends its presentations, so that they never add up`() throws {
    let vault = try TestVault()
    _ = try vault.connect().call("key.public", ["namespace": "door"])
    // The bound is 1,024 in all and 16 for a connection: without an end, the 65th would be refused.
    for round in 0..<70 {
      let socket = try vault.connect()
      for _ in 0..<16 { try socket.post("presentation.open", Self.opening) }
      for _ in 0..<16 {
        let answer = try socket.answer()
        #expect(answer.result != nil, "round \(round): \(answer.line)")
      }
      if round == 0 {
        #expect(try socket.call("presentation.open", Self.opening).code == "busy")
      }
    }
  }

  @Test func `sealing ends the presentations of everybody`() throws {
    let vault = try TestVault()
    let gateway = try vault.connect()
    _ = try gateway.call("key.public", ["namespace": "door"])
    let opened = try gateway.call("presentation.open", Self.opening)
    let presentation = try #require(opened.text("presentation"), "\(opened.line)")
    let exchange = ["presentation": presentation, "message": Self.busyEvent]
    #expect(try vault.control("seal").isGood)
    #expect(try gateway.call("presentation.exchange", exchange).code == "sealed")
    #expect(try vault.control("unseal", "--key-file", vault.keyFile).isGood)
    #expect(try gateway.call("presentation.exchange", exchange).code == "not_found")
  }

  static let opening: [String: String] = [
    "namespace": "door", "transport": "ble", "intent": "unsecure", "reader_versions": "AQA=",
    "version": "AQA=",
  ]

  /// The reader's event "busy" (section 9), which changes nothing.
  static let busyEvent = Data([2, 0, 0, 2, 0, 0]).base64EncodedString()
}
