import Foundation
import Testing

/// A life of a vault, told by `vaultctl` with the real `vaultd`.
@Suite struct DaemonTests {
  /// A daemon on a vault of its own.
  private final class Daemon {
    let directory: TemporaryDirectory
    private let process = Process()

    init(_ directory: TemporaryDirectory) throws {
      self.directory = directory
      try FileManager.default.createDirectory(
        atPath: directory.file("run"), withIntermediateDirectories: false)
      process.executableURL = URL(fileURLWithPath: Vaultctl.path).deletingLastPathComponent()
        .appendingPathComponent("vaultd")
      process.arguments =
        ["--data", directory.file("vault"), "--runtime", directory.file("run")]
        + (geteuid() == 0 ? ["--allow-root"] : [])
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      let end = Date().addingTimeInterval(30)
      while try self.run("status").exit == 69 && process.isRunning && Date() < end {
        usleep(10_000)
      }
    }

    func run(
      _ line: String, _ stdin: String = "", environment: [String: String] = [:]
    ) throws -> Vaultctl.Outcome {
      try Vaultctl.run(
        ShellWords.split(line) + ["--runtime", directory.file("run")], stdin: Data(stdin.utf8),
        in: directory.path, environment: environment)
    }

    func stop() -> Int32 {
      kill(process.processIdentifier, SIGTERM)
      process.waitUntilExit()
      return process.terminationStatus
    }
  }

  private func openssl(_ words: [String], in directory: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
    process.arguments = words
    process.currentDirectoryURL = URL(fileURLWithPath: directory)
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: text, as: UTF8.self)
  }

  @Test func `a vault lives from its making to a revocation`() throws {
    let directory = try TemporaryDirectory()
    let made = try Vaultctl.run(
      ["init", "--data", "vault", "--key-file", "a.key", "--recovery-file", "b.key"]
        + ["--admin", "user:\(geteuid())"], in: directory.path)
    #expect(made.exit == 0)
    let daemon = try Daemon(directory)
    defer { #expect(daemon.stop() == 0) }

    #expect(try daemon.run("namespace list").exit == 69)
    #expect(
      try daemon.run("unseal --key-file a.key").text
        == "the vault is unsealed, by slot 1 (key-file)\n")
    try checkSlots(daemon)
    try checkClock(daemon)
    try checkKeys(daemon)
    #expect(try daemon.run("namespace revoke demo/signer").exit == 0)
    #expect(try daemon.run("key sign demo/signer --message letter.txt").exit == 13)
    #expect(try daemon.run("seal").text == "the vault is sealed\n")
    #expect(try daemon.run("status").text.hasPrefix("state             sealed\n"))
  }

  @Test func `a simulated lock is told step by step, and nothing is left of it`() throws {
    let directory = try TemporaryDirectory()
    let made = try Vaultctl.run(
      ["init", "--data", "vault", "--key-file", "a.key", "--no-recovery"]
        + ["--admin", "user:\(geteuid())"], in: directory.path)
    #expect(made.exit == 0)
    let daemon = try Daemon(directory)
    defer { #expect(daemon.stop() == 0) }
    #expect(try daemon.run("unseal --key-file a.key").exit == 0)

    try checkSimulation(
      daemon, "",
      ["Initiate Access Protocol", "AUTH0", "answer to AUTH0", "AUTH1", "answer to AUTH1"]
        + ["Access Protocol Completed", "Request", "Reader Status Changed"])
    try checkSimulation(
      daemon, "--certificate --fast --intent secure",
      ["Initiate Access Protocol", "AUTH0", "answer to AUTH0", "LOAD CERT", "answer to LOAD CERT"]
        + ["AUTH1", "answer to AUTH1", "Access Protocol Completed", "Request"]
        + ["Reader Status Changed", "presentation.open", "Initiate Access Protocol", "AUTH0"]
        + ["answer to AUTH0", "Access Protocol Completed", "Request", "Reader Status Changed"])
    try checkSimulation(
      daemon, "--transport nfc --step-up --fast",
      ["SELECT", "answer to SELECT", "AUTH0", "answer to AUTH0", "AUTH1", "answer to AUTH1"]
        + ["SELECT", "answer to SELECT", "ENVELOPE", "part of the answer", "GET RESPONSE"]
        + ["answer to ENVELOPE", "EXCHANGE", "answer to EXCHANGE", "presentation.open", "SELECT"]
        + ["answer to SELECT", "AUTH0", "answer to AUTH0", "EXCHANGE", "answer to EXCHANGE"])

    let text = try daemon.run("present demo/try --simulate").text
    #expect(text.contains("\n5. lock: AUTH0\n    The lock says which it is"))
    #expect(text.contains(" ... (139 bytes)\n"))
    #expect(text.contains("\n    The vault reports: access_granted (unsecured).\n"))
    #expect(text.hasSuffix("and the\ndoor is unlocked.\n"))
    #expect(try daemon.run("key public demo/try").exit == 0)
    #expect(try daemon.run("present demo/try --simulate").exit == 13)
    #expect(try daemon.run("key list demo/try").text.contains("active"))
  }

  @Test func `the policy is shown, changed and explained`() throws {
    let directory = try TemporaryDirectory()
    let user = geteuid()
    let made = try Vaultctl.run(
      ["init", "--data", "vault", "--key-file", "a.key", "--no-recovery"]
        + ["--admin", "user:\(user)"], in: directory.path)
    #expect(made.exit == 0)
    let daemon = try Daemon(directory)
    defer { #expect(daemon.stop() == 0) }
    #expect(try daemon.run("policy show").exit == 69)
    #expect(try daemon.run("unseal --key-file a.key").exit == 0)

    let first = try daemon.run("policy show")
    #expect(first.text == "policy 1\n\nallow user:\(user)\n  methods admin\n  namespaces **\n")
    #expect(first.stderr == "revision 1\n")

    let fault = try daemon.run("policy apply -", first.text + "allow user:7\n  methods key.open\n")
    #expect(fault.exit == 65)
    #expect(fault.stderr.hasSuffix("  hint: line 7 is:   methods key.open\n"))
    #expect(try daemon.run("policy apply -", "policy 1\n").exit == 13)
    let narrow = first.text.replacing("admin", with: "policy.* status key.*")
    #expect(
      try daemon.run("policy apply - --dry-run", narrow).stderr == "it may take rights away\n")
    #expect(try daemon.run("slot list").exit == 0)
    #expect(try daemon.run("policy apply - --revision 2", narrow).exit == 13)
    let taken = try daemon.run("policy apply - --revision 1", narrow)
    #expect(taken.text.hasPrefix("revision 2 is in force (audit "))
    #expect(try daemon.run("slot list").exit == 77)

    let denied = try daemon.run("policy explain slot.list --user \(user)")
    #expect(denied.text.hasPrefix("decision  denied (method_not_granted)\n"))
    #expect(
      denied.text.contains("\n   3  method  allow user:\(user) methods policy.* status key.*"))
    let allowed = try daemon.run("policy explain key.sign demo/x --user \(user) --by client")
    #expect(allowed.text.hasPrefix("decision   allowed\n"))

    // With an editor that gives everything back, and one that does it too late.
    let editor = ["EDITOR": "sed -i 's/methods.*/methods admin/'", "TMPDIR": directory.path]
    let edited = try daemon.run("policy edit", environment: editor)
    #expect(edited.text.hasPrefix("revision 3 is in force"))
    #expect(edited.stderr.hasPrefix("it may have taken rights away"))
    #expect(try daemon.run("slot list").exit == 0)
    try narrow.write(toFile: directory.file("other"), atomically: false, encoding: .utf8)
    let apply = "\(Vaultctl.path) --runtime run policy apply other"
    try "echo '# late' >> \"$1\" && \(apply)".write(
      toFile: directory.file("late"), atomically: false, encoding: .utf8)
    let late = try daemon.run(
      "policy edit", environment: ["EDITOR": "sh late", "TMPDIR": directory.path])
    #expect(late.exit == 13)
    #expect(late.stderr.contains("your text is kept in \(directory.path)/"))
    #expect(try daemon.run("policy show").text == narrow)
  }

  /// What a simulation tells between its first three steps and its last, which are always the same.
  private func checkSimulation(_ daemon: Daemon, _ options: String, _ told: [String]) throws {
    let outcome = try daemon.run("present demo/try --simulate --json \(options)")
    #expect(outcome.exit == 0)
    let json = try JSONSerialization.jsonObject(with: outcome.stdout) as? [String: Any]
    let steps = try #require(json?["steps"] as? [[String: Any]])
    #expect(
      steps.map { $0["name"] as? String }
        == ["key.public", "pass.store", "presentation.open"] + told + ["pass.delete"])
    let events = steps.flatMap { $0["events"] as? [[String: Any]] ?? [] }
    let granted = events.count { $0["event"] as? String == "access_granted" }
    #expect(granted == (options.contains("--fast") ? 2 : 1))
    #expect(try daemon.run("pass info demo/try").exit == 13)
    #expect(!(try daemon.run("key list demo/try").text.contains("active")))
  }

  private func checkSlots(_ daemon: Daemon) throws {
    #expect(try daemon.run("slot add --label one --passphrase-stdin", "tr0ub4dor\n").exit == 0)
    #expect(try daemon.run("slot add --label two --key-file c.key").exit == 0)
    let list = try daemon.run("slot list").text
    #expect(list.split(separator: "\n").count == 5)
    #expect(list.contains("3 x 256 MiB"))
    #expect(try daemon.run("seal").exit == 0)
    #expect(try daemon.run("unseal --passphrase-stdin --slot 3", "wrong").exit == 10)
    #expect(try daemon.run("unseal --key-file c.key").exit == 0)
    #expect(try daemon.run("slot remove 1").exit == 0)
    #expect(try daemon.run("slot remove 1").exit == 12)
  }

  private func checkClock(_ daemon: Daemon) throws {
    let accepted = try daemon.run("clock accept")
    #expect(accepted.exit == 0 && accepted.text.hasPrefix("the vault goes by 20"))
    #expect(try daemon.run("clock set-floor 2020-01-15T08:30:00Z").text.contains("08:30:00Z still"))
    let held = try daemon.run("status").text
    #expect(held.contains("ahead of what the vault knows: run `vaultctl clock accept`"))
    #expect(try daemon.run("clock set-floor 2999-01-15T08:30:00Z").exit == 65)
    #expect(try daemon.run("clock accept").exit == 0)
    #expect(!(try daemon.run("status").text.contains("CLOCK")))
  }

  /// Signatures verify with OpenSSL.
  private func checkKeys(_ daemon: Daemon) throws {
    let directory = daemon.directory
    try "Dear door".write(
      toFile: directory.file("letter.txt"), atomically: false, encoding: .utf8)
    let pem = try daemon.run("key public demo/signer --purpose signing --format pem")
    try pem.stdout.write(to: URL(fileURLWithPath: directory.file("signer.pem")))
    #expect(
      try daemon.run("key sign demo/signer --message letter.txt --out letter.sig").exit == 0)
    let verified = try openssl(
      ["dgst", "-sha256", "-verify", "signer.pem", "-signature", "letter.sig", "letter.txt"],
      in: directory.path)
    #expect(verified == "Verified OK\n")
    let raw = try daemon.run(
      "key sign demo/signer --format raw --out - --digest \(String(repeating: "0f", count: 32))")
    #expect(raw.stdout.count == 64)
    #expect(try daemon.run("namespace get demo/signer").text.contains("signing        1  active"))
    #expect(try daemon.run("key sign demo/nowhere --message letter.txt").exit == 12)
  }
}
