import Foundation
import Testing

/// Sealing and unsealing through the socket and by `vaultctl`.
@Suite struct UnsealTests {
  @Test func `a key file unseals, and nothing else does`() throws {
    let vault = try TestVault(initialising: [
      "--key-file", "key", "--recovery-file", "recovery",
    ])
    try vault.start(unsealed: false)
    let admin = try vault.connect(.admin)
    #expect(try admin.call("status").text("state") == "sealed")
    #expect(try admin.call("key.public", ["namespace": "a"]).code == "sealed")

    let other = try TestVault(initialising: ["--key-file", "key", "--no-recovery"])
    let wrong = try vault.control("unseal", "--key-file", other.keyFile)
    #expect(wrong.status == 10, "\(wrong.errors)")
    #expect(try admin.call("status").text("state") == "sealed")

    let right = try vault.control("unseal", "--key-file", vault.keyFile)
    #expect(right.isGood, "\(right.errors)")
    #expect(try admin.call("status").text("state") == "unsealed")
    #expect(try admin.call("key.public", ["namespace": "a"]).flag("created") == true)
    #expect(try vault.control("seal").isGood)
    #expect(try admin.call("key.public", ["namespace": "a"]).code == "sealed")

    let recovery = try vault.control("unseal", "--key-file", vault.recoveryFile)
    #expect(recovery.isGood, "\(recovery.errors)")
    #expect(try admin.call("key.public", ["namespace": "a"]).flag("created") == false)
  }

  @Test func `a passphrase unseals from standard input and from a descriptor`() throws {
    let vault = try TestVault(
      initialising: ["--passphrase-stdin", "--no-recovery"], passphrase: "correct horse ä\n")
    try vault.start(unsealed: false)
    let wrong = try vault.control("unseal", "--passphrase-stdin", input: "correct horse a\n")
    #expect(wrong.status == 10, "\(wrong.errors)")

    let file = vault.directory.path + "/passphrase"
    try Data("correct horse ä".utf8).write(to: URL(filePath: file))
    let byDescriptor = try Program(
      "/bin/sh",
      [
        "-c", "exec \"$0\" unseal --runtime \"$1\" --passphrase-fd 7 7<\"$2\"",
        BuiltProducts.vaultctl, vault.runtime, file,
      ]
    ).run()
    #expect(byDescriptor.isGood, "\(byDescriptor.errors)")
    let slots = try vault.connect(.admin).call("slot.list").result?["slots"] as? [[String: Any]]
    #expect(slots?.count == 1)
    #expect(slots?.first?["kind"] as? String == "passphrase")
  }

  @Test func `a damaged slot is told from a wrong secret, and the others still open`() throws {
    let vault = try TestVault(initialising: [
      "--key-file", "key", "--recovery-file", "recovery",
    ])
    // One bit in the middle of the first slot.
    let body = try vault.tamper("SELECT hex(body) FROM slot WHERE slot = 1")
    var digits = Array(body)
    digits[81] = digits[81] == "0" ? "1" : "0"
    try vault.tamper("UPDATE slot SET body = X'\(String(digits))' WHERE slot = 1")
    try vault.start(unsealed: false)
    let damaged = try vault.control("unseal", "--key-file", vault.keyFile, "--slot", "1")
    #expect(damaged.status == 11, "\(damaged.errors)")
    let wrong = try vault.control("unseal", "--key-file", vault.keyFile, "--slot", "2")
    #expect(wrong.status == 10, "\(wrong.errors)")
    let right = try vault.control("unseal", "--key-file", vault.recoveryFile)
    #expect(right.isGood, "\(right.errors)")
    let key = try vault.connect().call("key.public", ["namespace": "a"])
    #expect(key.flag("created") == true, "\(key.line)")
  }

  @Test func `guessing is slowed down, and the right secret works once the wait is over`() throws {
    let vault = try TestVault(initialising: ["--key-file", "key", "--no-recovery"])
    try vault.start(unsealed: false)
    let admin = try vault.connect(.admin)
    let wrong = Data(repeating: 7, count: 32).base64EncodedString()
    var codes: [String] = []
    for _ in 0..<5 { codes.append(try admin.call("unseal", ["key": wrong]).code ?? "none") }
    #expect(codes.first == "wrong_secret")
    #expect(codes.last == "rate_limited", "\(codes)")
    let isOpened = try eventually {
      try vault.control("unseal", "--key-file", vault.keyFile).isGood
    }
    #expect(isOpened)
  }

  @Test func `the daemon does not start with a key that opens nothing, and says why`() throws {
    let vault = try TestVault(initialising: ["--key-file", "key", "--no-recovery"])
    let other = try TestVault(initialising: ["--key-file", "key", "--no-recovery"])
    let arguments = vault.daemonArguments(unsealed: false)
    let wrong = try Program(
      BuiltProducts.vaultd, arguments + ["--key-file", other.keyFile]
    ).run()
    #expect(wrong.status == 77, "\(wrong.errors)")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: other.keyFile)
    let exposed = try Program(
      BuiltProducts.vaultd, arguments + ["--key-file", other.keyFile]
    ).run()
    #expect(exposed.status == 66, "\(exposed.errors)")
    #expect(exposed.errors.contains(other.keyFile))
  }

  @Test func `a systemd credential unseals at the start`() throws {
    let vault = try TestVault(initialising: ["--key-file", "key", "--no-recovery"])
    let daemon = Program(
      BuiltProducts.vaultd, vault.daemonArguments(unsealed: false) + ["--credential", "key"])
    daemon.set("CREDENTIALS_DIRECTORY", vault.directory.path)
    try vault.start(daemon)
    #expect(try vault.connect().call("status").text("state") == "unsealed")
  }
}
