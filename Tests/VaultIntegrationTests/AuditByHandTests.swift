import Foundation
import Testing

/// What `latchkey-audit(5)` shows for checking a log by hand is done as it is shown there.
@Suite struct AuditByHandTests {
  /// The commands of each example of the page, as a shell takes them.
  private func examples() throws -> [String] {
    let page = try String(
      contentsOf: BuiltProducts.root.appending(path: "tools/man/latchkey-audit.5"), encoding: .utf8)
    return page.components(separatedBy: "\n.Bd ").dropFirst().map { part in
      part.split(separator: "\n").dropFirst().prefix { $0 != ".Ed" }
        .map { ($0.hasPrefix("$ ") ? $0.dropFirst(2) : $0).replacing(#"\e"#, with: #"\"#) }
        .joined(separator: "\n")
    }
  }

  /// Commands that did not do what they are for.
  private struct Failure: Error {
    let commands: String
    let said: String

    init(_ commands: String, _ said: String) {
      self.commands = commands
      self.said = said
    }
  }

  private func run(_ commands: String, in directory: String, key: String) throws -> [String] {
    let outcome = try Program(
      "/bin/sh", ["-euc", "cd \"$0\"; KEY=\"$1\"\n" + commands, directory, key]
    ).run()
    guard outcome.isGood else { throw Failure(commands, outcome.output + outcome.errors) }
    return outcome.output.split(separator: "\n").map(String.init)
  }

  @Test func `its commands find a log as it should be, and notice one octet`() throws {
    let vault = try TestVault(initialising: ["--key-file", "key", "--no-recovery"])
    let file = vault.directory.path + "/vaultd.conf"
    try Data("audit-segment-size = 64KiB\n".utf8).write(to: URL(filePath: file))
    try vault.start(["--config", file])
    let socket = try vault.connect()
    for number in 0..<300 {
      #expect(try socket.call("key.public", ["namespace": "n/\(number)"]).result != nil)
    }
    let audit = try socket.call("status").result?["audit"] as? [String: Any]
    let key = try #require(audit?["key"] as? String)
    #expect(try vault.stop().isGood)
    let directory = vault.data + "/audit"
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory).count > 1)

    let examples = try examples()
    #expect(examples.count == 5)
    #expect(try run(examples[0], in: directory, key: key) == [])
    for example in examples[1...3] {
      let digests = try run(example, in: directory, key: key).map { $0.prefix(64) }
      #expect(digests.count == 2 && digests.first == digests.last, "\(example): \(digests)")
      #expect(digests.first?.count == 64)
    }
    let verified = try run(examples[4], in: directory, key: key)
    #expect(verified.contains { $0.contains("Signature Verified Successfully") })

    // The same commands on another text.
    let log = URL(filePath: directory + "/log")
    let changed = String(decoding: try Data(contentsOf: log), as: UTF8.self)
      .replacing("vault.start", with: "vault.stark")
      .replacing("vault.stop", with: "vault.stow").replacing("n/200", with: "n/201")
    try Data(changed.utf8).write(to: log)
    for example in examples[1...3] {
      let digests = try run(example, in: directory, key: key).map { $0.prefix(64) }
      #expect(digests.count == 2 && digests.first != digests.last, "\(example)")
    }
    let otherKey = String(key.reversed())
    #expect(throws: (any Error).self) { try run(examples[4], in: directory, key: otherKey) }
  }
}
