import Foundation
import Testing

/// That the log tells what happened to the vault, and that answers have the numbers of their lines.
@Suite struct AuditStoryTests {
  @Test func `start, stop, crash, seal, slots, policy and attempts to unseal are recorded`() throws
  {
    let vault = try TestVault(initialising: ["--key-file", "key", "--no-recovery"])
    try vault.start(unsealed: false)
    let wrong = ["key": Data(repeating: 7, count: 32).base64EncodedString()]
    let admin = try vault.connect(.admin)
    #expect(try admin.call("unseal", wrong).code == "wrong_secret")
    #expect(try vault.control("unseal", "--key-file", vault.keyFile).isGood)
    #expect(try admin.call("unseal", wrong).code == "conflict")
    let key = Data((0..<32).map { UInt8($0) }).base64EncodedString()
    let added = try admin.call("slot.add", ["label": "second", "key": key])
    let slot = try #require(added.integer("slot"))
    #expect(try admin.call("slot.list").result != nil)
    #expect(try admin.call("slot.remove", ["slot": slot]).result != nil)
    #expect(try admin.call("slot.remove", ["slot": slot]).code == "not_found")
    let policy = try #require(try admin.call("policy.get").text("policy"))
    let more = policy + "\nallow user:61001\n  methods monitor\n  namespaces **\n"
    #expect(try admin.call("policy.set", ["policy": more]).integer("revision") == 2)
    #expect(try admin.call("policy.set", ["policy": policy]).integer("revision") == 3)
    #expect(try admin.call("seal").result != nil)
    #expect(try admin.call("seal").code == "sealed")
    #expect(try vault.control("unseal", "--key-file", vault.keyFile).isGood)
    vault.kill()
    try vault.start()
    #expect(try vault.stop().isGood)
    try vault.start()
    #expect(try vault.stop().isGood)

    // When an erasure is finished depends on who reads the database just then.
    let lines = try vault.auditLines().filter { $0.method != "erasure.complete" }
    let told = lines.map { line in
      [
        line.method, line.code ?? line.outcome,
        line.number("restrictive").map { _ in "restrictive" },
      ]
      .compactMap(\.self).joined(separator: " ")
    }
    #expect(
      told == [
        "vault.start ok", "unseal wrong_secret", "unseal ok", "unseal conflict", "slot.add ok",
        "slot.list ok", "slot.remove ok restrictive", "slot.remove not_found", "policy.get ok",
        "policy.set ok", "policy.set ok restrictive", "seal ok", "unseal ok",
        // The second `seal` was counted, and the kill took the count with it.
        "vault.recovered ok", "vault.start ok", "unseal ok", "vault.stop ok", "vault.start ok",
        "unseal ok", "vault.stop ok",
      ])
  }

  @Test func `attempts to unseal that must wait are counted`() throws {
    let vault = try TestVault(initialising: ["--key-file", "key", "--no-recovery"])
    try vault.start(unsealed: false)
    let admin = try vault.connect(.admin)
    let wrong = ["key": Data(repeating: 7, count: 32).base64EncodedString()]
    var codes: [String] = []
    for _ in 0..<40 { codes.append(try admin.call("unseal", wrong).code ?? "none") }
    let waited = codes.count { $0 == "rate_limited" }
    #expect(waited >= 30)
    // They are told at the latest when the daemon ends.
    #expect(try vault.stop().isGood)
    try vault.start()
    #expect(try vault.stop().isGood)
    let lines = try vault.auditLines()
    #expect(lines.count { $0.method == "unseal" && $0.code == "wrong_secret" } == 40 - waited)
    let counted = lines.filter { $0.method == "calls.refused" }
    #expect(counted.count == 1)
    #expect(counted.first?.count == waited && counted.first?.number("rate_limited") == waited)
  }

  @Test func `each answer with output of a key has the number of its line`() throws {
    struct Numbered: Decodable, Hashable {
      let method: String
      let namespace: String
      let seq: Int
    }
    let vault = try TestVault()
    let outcome = try vault.script("numbered_answers.py").run()
    try #require(outcome.isGood, "\(outcome.errors)")
    let answers = try outcome.output.split(separator: "\n").map {
      try JSONDecoder().decode(Numbered.self, from: Data($0.utf8))
    }
    #expect(
      Set(answers.map(\.method))
        .isSuperset(of: [
          "key.public", "key.sign", "presentation.open", "presentation.exchange",
          "presentation.request", "presentation.close", "presentation.sign",
        ]))
    #expect(try vault.stop().isGood)
    let lines = Dictionary(grouping: try vault.auditLines(), by: \.sequence)
    for answer in answers {
      let own = lines[answer.seq] ?? []
      #expect(own.count == 1 && own.first?.method == answer.method, "\(answer)")
      #expect(own.first?.text("namespace") == answer.namespace, "\(answer)")
      #expect(own.first?.outcome == "ok" && own.first?.text("endpoint") == "client")
    }
    #expect(Set(answers.map(\.seq)).count == answers.count)
  }
}
