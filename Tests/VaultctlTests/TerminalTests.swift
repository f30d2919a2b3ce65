import Foundation
import Testing

/// What a person at a terminal sees; the terminal is Python's.
@Suite struct TerminalTests {
  private typealias Seen = Terminal.Seen

  private func run(
    _ steps: [[String: Any]], _ words: [String], environment: [String: String] = [:]
  ) throws -> Seen {
    try Terminal.run(steps, words, environment: environment)
  }

  private func vault(_ directory: TemporaryDirectory, _ passphrase: String) throws -> FakeVault {
    let exchange = FakeVault.Exchange(
      endpoint: "admin",
      request: #"{"method":"unseal","params":{"passphrase":"\#(passphrase)"}}"#,
      answer: .members(#"{"result":{"state":"unsealed","slot":1,"kind":"passphrase"}}"#))
    return try FakeVault(runtime: directory.path, script: [exchange])
  }

  @Test func `a passphrase is asked for without echo, and the echo comes back`() throws {
    let directory = try TemporaryDirectory()
    let vault = try vault(directory, "correct horse")
    let seen = try run(
      [
        ["wait": "Passphrase: "], ["echo": false], ["type": "correct horse\n"],
        ["wait": "unsealed"],
      ], ["unseal", "--runtime", directory.path])
    #expect(vault.stop() == [])
    #expect(seen.exit == 0)
    #expect(seen.echo)
    #expect(seen.shown.contains("Passphrase: \r\n"))
    #expect(!seen.shown.contains("horse"))
  }

  @Test func `both halves of a lock's pair are asked for without echo`() throws {
    let directory = try TemporaryDirectory()
    let (key, command) = (String(repeating: "0a", count: 16), String(repeating: "f1", count: 20))
    let exchange = FakeVault.Exchange(
      endpoint: "client",
      request: #"{"method":"noke.store","params":{"namespace":"a","mac":"cbbc873bcbd7","#
        + #""offline_key":"\#(key)","unlock_command":"\#(command)","environment":"sandbox"}}"#,
      answer: .members(#"{"result":{"generation":1,"state":"active","fingerprint":"00","seq":1}}"#))
    let vault = try FakeVault(runtime: directory.path, script: [exchange])
    let seen = try run(
      [
        ["wait": "Offline key: "], ["echo": false], ["type": key.uppercased() + "\n"],
        ["wait": "Unlock command: "], ["echo": false], ["type": command + "\n"],
        ["wait": "active"],
      ],
      ["noke", "store", "a", "cbbc873bcbd7", "--environment", "sandbox"]
        + ["--runtime", directory.path])
    #expect(vault.stop() == [])
    #expect(seen.exit == 0 && seen.echo)
    #expect(!seen.shown.contains("0A0A") && !seen.shown.contains("f1f1"))
  }

  @Test func `what a flinkey tenant has is asked for without echo`() throws {
    let directory = try TemporaryDirectory()
    let exchange = FakeVault.Exchange(
      endpoint: "client",
      request: #"{"method":"flinkey.store","params":{"namespace":"a","environment":"uat","#
        + #""credentials":{"api_key":"key-1","user_name":"user-1","password":"p&= 1","#
        + #""sdk_key":"sdk-1","customer_id":4711}}}"#,
      answer: .members(#"{"result":{"replaced":false,"dropped":0,"seq":1}}"#))
    let vault = try FakeVault(runtime: directory.path, script: [exchange])
    let seen = try run(
      [
        ["wait": "API key: "], ["echo": false], ["type": "key-1\n"],
        ["wait": "user: "], ["echo": false], ["type": "user-1\n"],
        ["wait": "Password: "], ["echo": false], ["type": "p&= 1\n"],
        ["wait": "SDK key: "], ["echo": false], ["type": "sdk-1\n"], ["wait": "stored"],
      ],
      ["flinkey", "store", "a", "--environment", "uat", "--customer-id", "4711"]
        + ["--runtime", directory.path])
    #expect(vault.stop() == [])
    #expect(seen.exit == 0 && seen.echo)
    for secret in ["key-1", "user-1", "p&= 1", "sdk-1"] { #expect(!seen.shown.contains(secret)) }
  }

  @Test func `the usual keys correct a line`() throws {
    let directory = try TemporaryDirectory()
    let vault = try vault(directory, "right")
    let seen = try run(
      [
        ["wait": "Passphrase: "], ["type": "wrong\u{15}rigth\u{7F}\u{7F}ht\n"],
        ["wait": "unsealed"],
      ],
      ["unseal", "--runtime", directory.path])
    #expect(vault.stop() == [])
    #expect(seen.exit == 0)
  }

  @Test(arguments: [("\u{03}", SIGINT), ("\u{1C}", SIGQUIT)])
  func `a key that ends the program puts the terminal back first`(
    _ key: String, _ signal: Int32
  ) throws {
    let seen = try run(
      [["wait": "Passphrase: "], ["echo": false], ["type": "secret"], ["type": key]],
      ["unseal", "--runtime", "/nonexistent"])
    #expect(seen.signal == signal)
    #expect(seen.echo)
    #expect(!seen.shown.contains("secret"))
  }

  @Test(arguments: ["SIGTERM", "SIGHUP"])
  func `a signal that ends the program puts the terminal back first`(_ name: String) throws {
    let seen = try run(
      [["wait": "Passphrase: "], ["echo": false], ["signal": name]],
      ["unseal", "--runtime", "/nonexistent"])
    #expect(seen.signal == (name == "SIGTERM" ? SIGTERM : SIGHUP))
    #expect(seen.echo)
  }

  @Test func `stopped, the terminal echoes; going on, it asks again`() throws {
    let directory = try TemporaryDirectory()
    let vault = try vault(directory, "again")
    let seen = try run(
      [
        ["wait": "Passphrase: "], ["type": "half"], ["signal": "SIGTSTP"], ["stopped": true],
        ["echo": true], ["signal": "SIGCONT"], ["wait": "Passphrase: "], ["echo": false],
        ["type": "again\n"], ["wait": "unsealed"],
      ], ["unseal", "--runtime", directory.path])
    #expect(vault.stop() == [])
    #expect(seen.exit == 0)
    #expect(!seen.shown.contains("half"))
  }

  private static let key =
    #"{"result":{"created":true,"point":"BGsX0fLhLEJH+Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT+NC4v4af5uO"#
    + #"5+tKfA+eFivOM1drMV7Oy7ZAaDe/UfU=","seq":7}}"#
  private static let names = [SIGINT: "SIGINT", SIGTERM: "SIGTERM", SIGHUP: "SIGHUP"]

  /// A simulation to which a signal comes while it waits for an answer.
  private func interrupted(
    _ signal: Int32, at call: String, foreign: Bool = false
  ) throws -> Seen {
    let name = #"{"namespace":"demo/try"}"#
    let missing =
      #"{"error":{"code":-32009,"message":"No pass.","data":{"code":"pass_missing"}}}"#
    var calls = [
      ("key.public", #"{"namespace":"demo/try","purpose":"presentation"}"#, Self.key),
      ("pass.store", #""<any>""#, #"{"result":{"replaced":false,"digest":"AA=="}}"#),
      ("pass.info", name, #"{"result":{"digest":"\#(foreign ? "AQ" : "AA")=="}}"#),
      ("pass.delete", name, #"{"result":{"deleted":true,"key":true,"pass":true}}"#),
    ]
    if call == "key.public" {
      calls.remove(at: 1)
      calls[1].2 = missing
    }
    if ["pass.info", "pass.delete"].contains(call) {
      let refusal = #"{"error":{"code":-32004,"message":"No.","data":{"code":"conflict"}}}"#
      calls.insert(("presentation.open", #""<any>""#, refusal), at: 2)
    }
    if foreign { calls.removeLast() }
    let directory = try TemporaryDirectory()
    let vault = try FakeVault(
      runtime: directory.path,
      script: calls.map { method, params, members in
        FakeVault.Exchange(
          endpoint: "client", request: #"{"method":"\#(method)","params":\#(params)}"#,
          answer: method == call ? .signal(signal, then: members) : .members(members))
      })
    let seen = try run(
      [["wait": "interrupted by \(try #require(Self.names[signal])): "]],
      ["present", "demo/try", "--simulate", "--runtime", directory.path])
    #expect(vault.stop() == [])
    return seen
  }

  @Test(
    arguments: names.keys.sorted(), ["key.public", "pass.store", "pass.info", "pass.delete"])
  func `a simulation that is interrupted cleans up and ends as by the signal`(
    _ signal: Int32, _ call: String
  ) throws {
    let seen = try interrupted(signal, at: call)
    #expect(seen.signal == signal)
    #expect(seen.shown.contains("pass and key of demo/try are deleted again"))
  }

  @Test func `an interrupted simulation leaves the pass of somebody else`() throws {
    let seen = try interrupted(SIGINT, at: "pass.store", foreign: true)
    #expect(seen.signal == SIGINT)
    #expect(seen.shown.contains("it stays, and the key with it"))
  }

  @Test func `a new passphrase is asked for twice, and must be the same`() throws {
    let directory = try TemporaryDirectory()
    let seen = try run(
      [
        ["wait": "New passphrase: "], ["echo": false], ["type": "one\n"],
        ["wait": "The same again: "], ["echo": false], ["type": "two\n"], ["wait": "differ"],
      ],
      [
        "init", "--data", directory.file("vault"), "--passphrase", "--no-recovery", "--admin",
        "root",
      ])
    #expect(seen.exit == 65)
    #expect(seen.echo)
    #expect(try directory.contents() == [])
  }

  @Test func `the end of input is no passphrase`() throws {
    let seen = try run(
      [["wait": "Passphrase: "], ["type": "\u{04}"], ["wait": "empty"]],
      ["unseal", "--runtime", "/nonexistent"])
    #expect(seen.exit == 65)
    #expect(seen.echo)
  }

  /// An editor that first writes a rule without its end and then, if it is asked again, the end.
  private static let editor = """
    #!/bin/sh
    test -e "$0.again" && echo '  namespaces **' >> "$1" && exit
    touch "$0.again"
    printf 'allow user:7\\n  methods monitor\\n' >> "$1"
    """

  /// Edits a policy that is at fault at first.
  private func edit(_ answer: String, secondTime isEditedAgain: Bool) throws -> (Seen, [String]) {
    let directory = try TemporaryDirectory()
    let editor = directory.file("editor")
    try Self.editor.write(toFile: editor, atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: editor)
    try FileManager.default.createDirectory(
      atPath: directory.file("tmp"), withIntermediateDirectories: false)
    func set(_ text: String, _ answer: String) -> FakeVault.Exchange {
      let params = #"{"policy":"\#(text)","revision":3,"dry_run":false}"#
      return FakeVault.Exchange(
        endpoint: "admin", request: #"{"method":"policy.set","params":\#(params)}"#,
        answer: .members(answer))
    }
    let half = #"policy 1\nallow user:7\n  methods monitor\n"#
    var script = [
      FakeVault.Exchange(
        endpoint: "admin", request: #"{"method":"policy.get","params":{}}"#,
        answer: .members(#"{"result":{"revision":3,"policy":"policy 1\n","unresolved":[]}}"#)),
      set(
        half,
        #"{"error":{"code":-32602,"message":"Line 2: the rule that begins here has no end.","#
          + #""data":{"code":"invalid_params","field":"policy","retry":false}}}"#),
    ]
    if isEditedAgain {
      script.append(
        set(
          half + #"  namespaces **\n"#,
          #"{"result":{"revision":4,"restrictive":false,"unresolved":[],"seq":9}}"#))
    }
    let vault = try FakeVault(runtime: directory.path, script: script)
    let seen = try run(
      [["wait": "line 2 is: allow user:7"], ["wait": "again? [Y/n] "], ["type": answer]],
      ["policy", "edit", "--runtime", directory.path],
      environment: ["VISUAL": editor, "TMPDIR": directory.file("tmp")])
    #expect(vault.stop() == [])
    let left = try FileManager.default.subpathsOfDirectory(atPath: directory.file("tmp"))
    return (seen, left)
  }

  @Test(arguments: ["\n", "y\n", "Yes\n"])
  func `a policy with a fault can be edited again`(_ answer: String) throws {
    let (seen, left) = try edit(answer, secondTime: true)
    #expect(seen.exit == 0)
    #expect(seen.shown.contains("revision 4 is in force (audit 9)"))
    #expect(left == [])
  }

  @Test(arguments: ["n\n", "No\n", "\u{04}"])
  func `who has enough of editing keeps the text`(_ answer: String) throws {
    let (seen, left) = try edit(answer, secondTime: false)
    #expect(seen.exit == 65)
    #expect(seen.shown.contains("nothing is changed"))
    #expect(seen.shown.contains("your text is kept in "))
    #expect(left.count == 2)
  }

  @Test func `tables are cut to the terminal and headings are bold`() throws {
    let directory = try TemporaryDirectory()
    let label = String(repeating: "long ", count: 30)
    let exchange = FakeVault.Exchange(
      endpoint: "admin", request: #"{"method":"slot.list","params":{}}"#,
      answer: .members(
        #"{"result":{"slots":[{"slot":1,"kind":"key-file","label":"\#(label)","created":"2026-01-15T08:30:00Z"}]}}"#
      ))
    let vault = try FakeVault(runtime: directory.path, script: [exchange])
    let seen = try run([["wait": "2026"]], ["slot", "list", "--runtime", directory.path])
    #expect(vault.stop() == [])
    #expect(seen.shown.contains("…"))
    // The terminal has no size of its own, so the usual 80 columns hold.
    for line in seen.shown.split(separator: "\r\n") {
      #expect(line.replacing("\u{1B}[1m", with: "").replacing("\u{1B}[0m", with: "").count <= 80)
    }
  }
}
