import CommandLineOptions
import Testing
import WireCoding

@testable import vaultctl

@Suite struct ParsedCommandTests {
  private func line(_ words: String...) throws -> ParsedCommand {
    guard case .run(let line) = try VerbTable.root.parse(words) else {
      throw CommandFailure(.usage, "no command")
    }
    return line
  }

  @Test func `a namespace is checked before it travels`() throws {
    #expect(
      try line("namespace", "get", "demo/front-door").namespace().rawValue == "demo/front-door")
    for text in ["/", "a//b", "A", "..", String(repeating: "a", count: 64)] {
      let line = try line("namespace", "get", text)
      #expect(throws: CommandFailure.self, "\(text)") { try line.namespace() }
    }
  }

  @Test func `admin commands use the admin socket, others prefer the client's`() throws {
    let plain = try line("status")
    #expect(SocketChoice(plain, isAdmin: true).candidates == ["/run/latchkey/admin/vault.sock"])
    #expect(
      SocketChoice(plain, isAdmin: false).candidates
        == ["/run/latchkey/client/vault.sock", "/run/latchkey/admin/vault.sock"])
    #expect(
      SocketChoice(try line("seal", "--runtime", "/tmp/x"), isAdmin: true).candidates
        == ["/tmp/x/admin/vault.sock"])
    #expect(
      SocketChoice(try line("seal", "--socket", "s"), isAdmin: true).candidates == ["s"])
  }

  @Test func `the source of a secret is one of four`() throws {
    func source(_ words: String...) throws -> SecretSource {
      guard case .run(let line) = try VerbTable.root.parse(["unseal"] + words) else {
        throw CommandFailure(.usage, "no command")
      }
      return try SecretSource(line, keyFile: Options.keyFile, or: .terminal)
    }
    #expect(try source() == .terminal)
    #expect(try source("--passphrase") == .terminal)
    #expect(try source("--passphrase-stdin") == .descriptor(0))
    #expect(try source("--passphrase-fd", "7") == .descriptor(7))
    #expect(try source("--key-file", "-") == .keyFile("-"))
    let added = try line("slot", "add", "--label", "x")
    #expect(throws: CommandFailure.self) {
      try SecretSource(added, keyFile: Options.newKeyFile, or: nil)
    }
  }
}
