import Foundation
import Testing

/// What both programs say of themselves, and how they end.
@Suite struct CommandLineTests {
  @Test(arguments: [BuiltProducts.vaultd, BuiltProducts.vaultctl])
  func `help goes to standard output, names the exit codes and shows an example`(
    program: String
  ) throws {
    let outcome = try Program(program, ["--help"]).run()
    #expect(outcome.isGood)
    #expect(outcome.errors.isEmpty)
    let name = URL(filePath: program).lastPathComponent
    #expect(outcome.output.contains(name))
    #expect(outcome.output.lowercased().contains("example"))
    #expect(outcome.output.contains("64"), "no exit codes are named")
    let width = outcome.output.split(separator: "\n").map(\.count).max() ?? 0
    #expect(width <= 100, "a line of \(width) characters")
  }

  @Test(arguments: [BuiltProducts.vaultd, BuiltProducts.vaultctl])
  func `the version is one line`(program: String) throws {
    let outcome = try Program(program, ["--version"]).run()
    #expect(outcome.isGood, "\(outcome.errors)")
    #expect(outcome.output.split(separator: "\n").count == 1)
    #expect(outcome.output.contains("0."))
  }

  @Test(arguments: [
    [], ["--data"], ["--data", ""], ["--data", "x", "--data", "y"], ["--data", "x", "--no-such"],
    ["--data", "x", "stray"], ["--data", "x", "--key-file", "k", "--credential", "c"],
  ])
  func `vaultd refuses a wrong command line with 64 and starts nothing`(
    arguments: [String]
  ) throws {
    let outcome = try Program(BuiltProducts.vaultd, arguments).run()
    #expect(outcome.status == 64, "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains("--help"), "\(outcome.errors)")
  }

  @Test func `vaultd refuses a wrong configuration with 78, file and line named`() throws {
    let vault = try TestVault(initialising: ["--key-file", "key", "--no-recovery"])
    let file = vault.directory.path + "/vaultd.conf"
    try Data("# one\nidle-timeout = 5 min\nno-such-key = 1\n".utf8).write(to: URL(filePath: file))
    let outcome = try Program(
      BuiltProducts.vaultd, vault.daemonArguments(unsealed: true) + ["--config", file]
    ).run()
    #expect(outcome.status == 78, "\(outcome.errors)")
    let names = outcome.errors.contains("\(file):2") || outcome.errors.contains("line 2")
    #expect(names, "\(outcome.errors)")
  }

  @Test func `vaultctl has an exit code for each class of refusal`() throws {
    let vault = try TestVault()
    func status(_ arguments: String...) throws -> Int32 {
      try Program(BuiltProducts.vaultctl, arguments + ["--runtime", vault.runtime]).run().status
    }
    #expect(try status("status") == 0)
    #expect(try status("namespace", "get", "nobody") == 12)
    #expect(try status("key", "public", "door") == 0)
    #expect(try status("namespace", "revoke", "door") == 0)
    #expect(try status("key", "public", "door") == 13)
    #expect(try status("key", "public", "DOOR") == 64)
    #expect(try status("no-such-command") == 64)
    #expect(try status("seal") == 0)
    #expect(try status("key", "public", "other") == 69)
    _ = try vault.stop()
    #expect(try status("status") == 69)
  }

  @Test func `vaultctl --json is the answer of the protocol`() throws {
    let vault = try TestVault()
    let outcome = try vault.control("key", "public", "door", "--json")
    let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
    let printed = try #require(object as? [String: Any])
    let answer = try vault.connect().call("key.public", ["namespace": "door"])
    #expect(printed["point"] as? String == answer.text("point"))
    #expect(printed["created"] as? Bool == true)
  }
}
