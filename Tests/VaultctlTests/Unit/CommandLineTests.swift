import CommandLineOptions
import Testing

@testable import vaultctl

@Suite struct CommandLineTests {
  private func failure(_ words: [String]) -> CommandFailure? {
    do throws(CommandLineError) {
      _ = try VerbTable.root.parse(words)
      return nil
    } catch {
      return CommandFailure(error, path: VerbTable.path(in: words))
    }
  }

  @Test func `every command is found by its words`() throws {
    #expect(Set(VerbTable.verbs.map(\.name)).count == VerbTable.verbs.count)
    for verb in VerbTable.verbs {
      #expect(VerbTable.verb(verb.path)?.name == verb.name)
      #expect(VerbTable.path(in: ["--json"] + verb.path + ["x"]) == verb.path)
      guard case .help(let text) = try VerbTable.root.parse(verb.path + ["--help"]) else {
        Issue.record("no help")
        continue
      }
      #expect(text.hasPrefix("vaultctl \(verb.name): "))
    }
  }

  @Test(arguments: [
    (["status", "--json", "--json"], "--json was given twice"),
    (["status", "--json=yes"], "--json takes no value"),
    (["status", "--socket"], "--socket needs a value: --socket PATH"),
    (
      ["status", "--socket", "--json"],
      "--socket needs a value; one that begins with a dash is written --socket=-..."
    ),
    (["status", "--socket="], "--socket takes a word that is not empty"),
    (["status", "--jsno"], "there is no option --jsno; did you mean --json?"),
    (["status", "now"], "there is a word too many"),
    (["pass", "store", "demo/a"], "FILE is missing"),
    (["pass", "stroe"], "there is no such command; did you mean store?"),
    (["pass"], "vaultctl pass needs a command"),
    (["slot", "add", "--label", ""], "--label takes a text of 1 to 64 bytes"),
    (["namespace", "list", "--after", "A"], "--after takes a namespace name"),
    (["namespace", "list", "--prefix", "A"], "--prefix takes the beginning of a namespace name"),
    (["namespace", "list", "--limit", "+1"], "--limit takes a whole number from 1 to 1000"),
    (
      ["key", "sign", "a", "--digest", "00"], "--digest takes the 64 hex digits of a SHA-256 digest"
    ),
    (["key", "public", "a", "--format", "raw"], "--format takes one of point, spki, pem"),
    (["key", "sign", "a", "--format", "pem"], "--format takes one of der, raw"),
    (["init", "--data", "x"], "--admin USER|GROUP is missing"),
    (
      ["unseal", "--passphrase", "--passphrase-stdin"],
      "--passphrase and --passphrase-stdin exclude each other"
    ),
    ([], "vaultctl needs a command"),
  ])
  func `a wrong line is refused in words`(_ words: [String], _ message: String) {
    #expect(failure(words)?.code == .usage)
    #expect(failure(words)?.message == message)
    #expect(failure(words)?.hint?.hasPrefix("see `vaultctl") == true)
  }

  @Test(arguments: [
    ["unseal", "hunter2"], ["unseal", "--passphrase", "hunter2"],
    ["unseal", "--passphrase=hunter2"],
    ["hunter2"], ["slot", "hunter2"], ["call", "unseal", "{}", "hunter2"],
    ["unseal", "--slot", "hunter2"], ["unseal", "--passphrase-fd", "hunter2"],
    ["unseal", "--key-file", "-hunter2"], ["namespace", "list", "--after", "hunter2!"],
    ["unseal", "-hunter2"], ["unseal", "-phunter2"],
  ])
  func `what may be a secret is not repeated`(_ words: [String]) throws {
    let refused = try #require(failure(words))
    #expect(!FailureText.lines(refused).joined().contains("hunter2"))
    #expect(
      !String(decoding: JSONText.compact(FailureText.json(refused)), as: UTF8.self)
        .contains("hunter2"))
  }

  @Test func `the usual options stand before or after the command`() throws {
    for words in [
      ["--json", "--runtime", "r", "status"], ["status", "--runtime=r", "--json"],
      ["--json", "status", "--runtime", "r"],
    ] {
      guard case .run(let line) = try VerbTable.root.parse(words) else {
        Issue.record("no command")
        continue
      }
      #expect(line[Options.json])
      #expect(line[Options.runtime] == "r")
    }
  }
}
