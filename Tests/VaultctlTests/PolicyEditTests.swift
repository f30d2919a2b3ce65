import Foundation
import Testing

/// `vaultctl policy edit`, with scripts for editors.
@Suite struct PolicyEditTests {
  private static let text = "policy 1\\nallow user:0\\n  methods admin\\n  namespaces **\\n"
  private static let edited = text + "allow user:7\\n  methods monitor\\n  namespaces **\\n"

  private let directory: TemporaryDirectory
  private let temporary: String

  init() throws {
    directory = try TemporaryDirectory()
    temporary = directory.file("tmp")
    try FileManager.default.createDirectory(
      atPath: temporary, withIntermediateDirectories: false)
  }

  /// The first request of each editing, and its answer.
  private static let shown = FakeVault.Exchange(
    endpoint: "admin", request: #"{"method":"policy.get","params":{}}"#,
    answer: .members(#"{"result":{"revision":3,"policy":"\#(text)","unresolved":[]}}"#))

  private static func set(_ text: String, _ answer: String) -> FakeVault.Exchange {
    FakeVault.Exchange(
      endpoint: "admin",
      request:
        #"{"method":"policy.set","params":{"policy":"\#(text)","revision":3,"dry_run":false}}"#,
      answer: .members(answer))
  }

  private static let taken =
    #"{"result":{"revision":4,"restrictive":false,"unresolved":[],"seq":9}}"#

  private static func refusal(_ number: Int, _ code: String, _ field: String, _ message: String)
    -> String
  {
    #"{"error":{"code":\#(number),"message":"\#(message)","data":{"code":"\#(code)","#
      + #""field":"\#(field)","retry":false}}}"#
  }

  /// A script that gets the file as its first argument.
  private func editor(_ commands: String) throws -> String {
    let path = directory.file("editor")
    try "#!/bin/sh\n\(commands)\n".write(toFile: path, atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return path
  }

  private func edit(
    _ commands: String, _ script: [FakeVault.Exchange], words: [String] = [],
    environment: [String: String] = [:]
  ) throws -> Vaultctl.Outcome {
    // Made anew for each run, so that a socket of the one before is not in the way.
    let runtime = directory.file("run-\(UUID().uuidString.prefix(8))")
    let vault = try FakeVault(runtime: runtime, script: script)
    let editor = try editor(commands)
    let outcome = try Vaultctl.run(
      ["--runtime", runtime, "policy", "edit"] + words, in: directory.path,
      environment: ["TMPDIR": temporary, "EDITOR": editor].merging(environment) { $1 })
    #expect(vault.stop() == [])
    return outcome
  }

  private func left() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: temporary).sorted()
  }

  /// Adds the rule that makes the one text the other.
  private static let adding =
    #"printf 'allow user:7\n  methods monitor\n  namespaces **\n' >> "$1""#

  @Test func `what was edited is put in force, and no file is left`() throws {
    let outcome = try edit(
      Self.adding + "\ntouch \"$1~\" \"$(dirname \"$1\")/.swap\"",
      [Self.shown, Self.set(Self.edited, Self.taken)])
    #expect(outcome.exit == 0)
    #expect(outcome.text == "revision 4 is in force (audit 9)\n")
    #expect(try left() == [])
  }

  @Test func `only the user can read the file, and what the editor puts beside it`() throws {
    let seen = directory.file("seen")
    let outcome = try edit(
      #"echo x > "$1.new"; stat -c %a "$1" "$1.new" "$(dirname "$1")" > "# + seen, [Self.shown])
    #expect(outcome.exit == 0)
    #expect(try String(contentsOfFile: seen, encoding: .utf8) == "600\n600\n700\n")
  }

  @Test func `a text that is as it was changes nothing`() throws {
    let outcome = try edit("true", [Self.shown])
    #expect(outcome.exit == 0 && outcome.text == "")
    #expect(outcome.stderr == "nothing is changed\n")
    #expect(try left() == [])
    let json = try edit("true", [Self.shown], words: ["--json"])
    #expect(json.exit == 0 && json.text == "{\"revision\":3}\n")
  }

  @Test func `without a terminal a fault ends it, and the text is kept`() throws {
    let fault = Self.refusal(
      -32602, "invalid_params", "policy", #"Line 6: \"monitor\": no such method."#)
    let outcome = try edit(Self.adding, [Self.shown, Self.set(Self.edited, fault)])
    #expect(outcome.exit == 65)
    let files = try left()
    #expect(files.count == 2 && files[1].hasSuffix("/policy"))
    #expect(
      outcome.stderr == """
        vaultctl: Line 6: "monitor": no such method. (field policy)
          hint: your text is kept in \(temporary)/\(files[1]); line 6 is:   methods monitor

        """)
    let kept = try String(contentsOfFile: "\(temporary)/\(files[1])", encoding: .utf8)
    #expect(kept == Self.edited.replacing("\\n", with: "\n"))
  }

  @Test func `a text that the editor has removed is not told to be kept`() throws {
    let removed = try edit(#"rm "$1""#, [Self.shown])
    #expect(removed.exit == 66)
    #expect(!removed.stderr.contains("kept"))
    #expect(try left() == [])
    let moved = try edit(#"mv "$1" "$1.other""#, [Self.shown])
    #expect(moved.exit == 66)
    let files = try left()
    #expect(files.count == 2 && files[1].hasSuffix("/policy.other"))
    #expect(
      moved.stderr.contains("hint: what the editor has left is in \(temporary)/\(files[0])\n"))
  }

  @Test func `the change of somebody else is not overwritten`() throws {
    let conflict = Self.refusal(
      -32004, "conflict", "revision", "Another policy is in force by now.")
    let outcome = try edit(Self.adding, [Self.shown, Self.set(Self.edited, conflict)])
    #expect(outcome.exit == 13)
    #expect(outcome.stderr.contains("hint: your text is kept in \(temporary)/"))
    #expect(outcome.stderr.contains("compare it with `vaultctl policy show`"))
    #expect(try left().count == 2)
  }

  @Test func `the text is kept also when the vault goes away`() throws {
    let gone = FakeVault.Exchange(
      endpoint: "admin", request: Self.set(Self.edited, "").request, answer: .close)
    let outcome = try edit(Self.adding, [Self.shown, gone])
    #expect(outcome.exit != 0)
    #expect(outcome.stderr.contains("your text is kept in \(temporary)/"))
    #expect(try left().count == 2)
  }

  @Test(arguments: [
    (#"printf '\377' > "$1""#, "is not UTF-8 text"), (#": > "$1""#, "is empty"),
    (#"head -c 65537 /dev/zero > "$1""#, "more than 65536 bytes"),
  ])
  func `what cannot be a policy is not sent`(commands: String, words: String) throws {
    let outcome = try edit(commands, [Self.shown])
    #expect(outcome.exit == 65)
    #expect(outcome.stderr.contains(words) && outcome.stderr.contains("is kept in"))
  }

  @Test func `an editor that fails changes nothing`() throws {
    let failed = try edit("exit 3", [Self.shown])
    #expect(failed.exit == 1)
    #expect(failed.stderr.contains("ended with 3"))
    #expect(try left() == [])
    let missing = try edit("", [Self.shown], environment: ["EDITOR": "/nonexistent/ed"])
    #expect(missing.exit == 1)
    #expect(missing.stderr.contains("set VISUAL or EDITOR"))
    // What it had written before is not lost.
    let half = try edit(Self.adding + "; exit 1", [Self.shown])
    #expect(half.exit == 1 && half.stderr.contains("your text is kept in"))
  }

  @Test func `VISUAL comes before EDITOR, and may have options`() throws {
    let script = try editor(#"[ "$1" = "--wait" ] && shift && "# + Self.adding)
    let outcome = try edit(
      #"[ "$1" = "--wait" ] && shift && "# + Self.adding,
      [Self.shown, Self.set(Self.edited, Self.taken)],
      environment: ["VISUAL": "\(script) --wait", "EDITOR": "false"])
    #expect(outcome.exit == 0)
  }

  @Test func `a directory with odd characters is taken as it is`() throws {
    let odd = directory.file("it's $HOME `x`")
    try FileManager.default.createDirectory(atPath: odd, withIntermediateDirectories: false)
    let outcome = try edit(
      Self.adding, [Self.shown, Self.set(Self.edited, Self.taken)], environment: ["TMPDIR": odd])
    #expect(outcome.exit == 0)
  }

  @Test func `a place for the file has to be there`() throws {
    let outcome = try edit("true", [Self.shown], environment: ["TMPDIR": "/nonexistent"])
    #expect(outcome.exit == 73)
    #expect(outcome.stderr.contains("set TMPDIR"))
  }
}
