import Foundation
import Glibc
import Testing

/// The audit directory is full, read-only, closed, or not what it was, while the daemon runs or when
/// it starts: that shows, nothing is answered that is not kept, and it passes.
@Suite struct AuditDiskTests {
  /// A vault whose audit directory is a file system of its own.
  private struct Standing {
    let vault: TestVault
    let disk: SmallDisk
  }

  private static let isRoot = geteuid() == 0

  private func standing(_ size: String = "256k") throws -> Standing {
    let vault = try TestVault(initialising: ["--key-file", "key", "--no-recovery"])
    let disk = try #require(SmallDisk(at: vault.data + "/audit", size: size))
    return Standing(vault: vault, disk: disk)
  }

  private func audit(_ socket: VaultSocket) throws -> [String: Any] {
    #expect(try socket.call("health").flag("ok") == true)
    let status = try socket.call("status")
    return try #require(status.result?["audit"] as? [String: Any], "\(status.line)")
  }

  private func damage(_ socket: VaultSocket) throws -> [String] {
    try socket.call("status").result?["damage"] as? [String] ?? []
  }

  /// Lets calls go on while the log cannot be written; the options of a daemon.
  private func patience(_ vault: TestVault) throws -> [String] {
    let file = vault.directory.path + "/vaultd.conf"
    try Data("audit-backlog = 1000\n".utf8).write(to: URL(filePath: file))
    return ["--config", file]
  }

  /// Waits until the log is whole again.
  private func expectCaughtUp(_ socket: VaultSocket) throws {
    let isCaughtUp = try eventually {
      let now = try audit(socket)
      return now["segment_error"] == nil && now["lag"] as? Int == 0
    }
    let last = try audit(socket)
    #expect(isCaughtUp, "\(last)")
    let made = try socket.call("audit.checkpoint")
    #expect(made.result != nil, "\(made.line)")
  }

  /// Stops the daemon, and has its log checked, also by a verifier that was written from the manual
  /// alone.
  private func expectVerified(_ vault: TestVault, _ numbers: [Int]) throws {
    let status = try vault.connect(.admin).call("status")
    let key = try #require((status.result?["audit"] as? [String: Any])?["key"] as? String)
    #expect(try vault.stop().isGood)
    let found = try Program(
      interop: "verify_audit.py", [vault.data + "/audit", "--key", key]
    ).run()
    #expect(found.isGood, "\(found.output) \(found.errors)")
    let verified = try Program(
      BuiltProducts.vaultctl, ["audit", "verify", vault.data + "/audit", "--key", key]
    ).run()
    #expect(verified.isGood, "\(verified.output) \(verified.errors)")
    try expect(numbers, in: vault)
  }

  /// Looks in the segments for the lines of calls that were answered.
  private func expect(_ numbers: [Int], in vault: TestVault) throws {
    var text = ""
    for name in try FileManager.default.contentsOfDirectory(atPath: vault.data + "/audit")
    where name.hasSuffix(".jsonl") && isRegular(vault.data + "/audit/" + name) {
      text += try String(contentsOfFile: vault.data + "/audit/" + name, encoding: .utf8)
    }
    for number in numbers { #expect(text.contains("{\"seq\":\(number),"), "line \(number)") }
  }

  private func isRegular(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Makes calls with an effect or a signature; the numbers of their lines.
  private func call(_ socket: VaultSocket, _ names: Range<Int>) throws -> [Int] {
    try names.flatMap { number in
      let name = "door/\(number)"
      let key = try socket.call("key.public", ["namespace": name, "purpose": "signing"])
      let message = Data("m".utf8).base64EncodedString()
      let signature = try socket.call(
        "key.sign", ["namespace": name, "message": message, "format": "der"])
      return [key, signature].compactMap { answer in
        #expect(answer.result != nil, "\(answer.line)")
        return answer.result?["seq"] as? Int
      }
    }
  }

  @Test(.enabled(if: SmallDisk.canMount, SmallDisk.why))
  func `a full audit directory shows, costs no answer its line, and is caught up on`() throws {
    let standing = try standing()
    let (vault, disk) = (standing.vault, standing.disk)
    defer { disk.detach() }
    try vault.start(try patience(vault))
    let admin = try vault.connect(.admin)
    var numbers = try call(admin, 0..<5)
    try disk.fill()
    numbers += try call(admin, 5..<40)
    let full = try audit(admin)
    #expect(full["segment_error"] as? String == "storage_full", "\(full)")
    #expect(full["lag"] as? Int ?? 0 > 0 && full["available"] as? Bool == true, "\(full)")
    #expect(try admin.call("audit.checkpoint").code == "audit_unavailable")
    disk.empty()
    try expectCaughtUp(admin)
    numbers += try call(admin, 40..<42)
    #expect(try damage(admin) == [])
    try expectVerified(vault, numbers)
  }

  @Test(.enabled(if: SmallDisk.canMount, SmallDisk.why))
  func `while the log is behind, what has an effect or a signature is refused`() throws {
    let standing = try standing()
    let (vault, disk) = (standing.vault, standing.disk)
    defer { disk.detach() }
    try vault.start()
    let admin = try vault.connect(.admin)
    var numbers = try call(admin, 0..<5)
    try disk.fill()
    var refusal: Answer?
    for number in 5..<200 where refusal == nil {
      let answer = try admin.call("key.public", ["namespace": "door/\(number)"])
      if let number = answer.result?["seq"] as? Int {
        numbers.append(number)
      } else {
        refusal = answer
      }
    }
    #expect(refusal?.code == "audit_unavailable", "\(refusal?.line ?? "nothing was refused")")
    let message = Data("m".utf8).base64EncodedString()
    for _ in 0..<3 {
      for (method, parameters) in [
        ("key.sign", ["namespace": "door/0", "message": message, "format": "der"]),
        ("key.public", ["namespace": "another"]), ("namespace.create", ["namespace": "another"]),
        ("audit.checkpoint", [:]),
      ] {
        let answer = try admin.call(method, parameters)
        #expect(answer.code == "audit_unavailable", "\(method): \(answer.line)")
      }
      let full = try audit(admin)
      #expect(full["segment_error"] as? String == "storage_full", "\(full)")
      #expect(full["available"] as? Bool == false, "\(full)")
    }
    // What only takes away is not kept waiting: the database has room.
    for (method, name) in [("namespace.revoke", "door/2"), ("namespace.suspend", "door/1")] {
      let gone = try admin.call(method, ["namespace": name])
      numbers.append(try #require(gone.result?["seq"] as? Int, "\(gone.line)"))
    }
    disk.empty()
    let resumed = try eventually {
      let answer = try admin.call("key.public", ["namespace": "after"])
      if let number = answer.result?["seq"] as? Int { numbers.append(number) }
      return answer.result != nil
    }
    #expect(resumed)
    try expectCaughtUp(admin)
    numbers += try call(admin, 200..<202)
    #expect(try damage(admin) == [])
    try expectVerified(vault, numbers)
  }

  enum Tampering: String, CaseIterable, Sendable {
    case removed, renamed, truncated, replaced, pipe
  }

  @Test(arguments: Tampering.allCases)
  func `a segment in use that is not what it was is told at once, and the log goes on`(
    _ tampering: Tampering
  ) throws {
    let vault = try TestVault(initialising: ["--key-file", "key", "--no-recovery"])
    try vault.start()
    let admin = try vault.connect(.admin)
    _ = try call(admin, 0..<3)
    #expect(try admin.call("audit.checkpoint").result != nil)
    let segment = vault.data + "/audit/0000000001.jsonl"
    switch tampering {
    case .removed: unsafe unlink(segment)
    case .renamed: unsafe rename(segment, vault.data + "/audit/aside")
    case .truncated: unsafe truncate(segment, 300)
    case .replaced:
      let text = try Data(contentsOf: URL(filePath: segment))
      unsafe unlink(segment)
      try Data(text.reversed()).write(to: URL(filePath: segment))
    case .pipe:
      unsafe unlink(segment)
      unsafe mkfifo(segment, 0o640)
    }
    let numbers = try call(admin, 3..<6)
    let found = try damage(admin)
    #expect(
      found.contains("audit segment 1 was removed or cut while it was in use"), "\(found)")
    try expectCaughtUp(admin)
    let key = try #require(try audit(admin)["key"] as? String)
    #expect(try vault.stop().isGood)
    try expect(numbers, in: vault)
    // What was there before is gone, and whoever checks the files is told so.
    let verified = try Program(
      BuiltProducts.vaultctl, ["audit", "verify", vault.data + "/audit", "--key", key]
    ).run()
    let kind = [.replaced: "edited", .pipe: "is not a regular file"][tampering] ?? "removed"
    #expect(
      !verified.isGood && (verified.output + verified.errors).contains(kind),
      "\(verified.output) \(verified.errors)")
  }

  @Test(.enabled(if: SmallDisk.canMount, SmallDisk.why))
  func `an audit directory that is read-only when the vault is unsealed is caught up on later`()
    throws
  {
    let standing = try standing("1m")
    let (vault, disk) = (standing.vault, standing.disk)
    defer { disk.detach() }
    try vault.start(try patience(vault))
    var admin = try vault.connect(.admin)
    var numbers = try call(admin, 0..<3)
    #expect(try vault.stop().isGood)
    try disk.remount("ro")
    try vault.start(try patience(vault))
    admin = try vault.connect(.admin)
    numbers += try call(admin, 3..<6)
    let readOnly = try audit(admin)
    #expect(readOnly["segment_error"] as? String == "read_only", "\(readOnly)")
    #expect(try admin.call("seal").text("state") == "sealed")
    #expect(try vault.control("unseal", "--key-file", vault.keyFile).isGood)
    numbers += try call(admin, 6..<8)
    try disk.remount("rw")
    try expectCaughtUp(admin)
    #expect(try damage(admin) == [])
    try expectVerified(vault, numbers)
  }

  @Test(.enabled(if: isRoot, "needs root to become another user"))
  func `an audit directory that the daemon may not write, or not read, keeps nobody out`() throws {
    let vault = try TestVault(initialising: ["--key-file", "key", "--no-recovery"])
    try FileManager.default.createDirectory(
      atPath: vault.runtime, withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o755])
    let user: uid_t = 12_345
    try #require(
      Program("/bin/chown", ["-R", "\(user):\(user)", vault.directory.path]).run().isGood)
    let audit = vault.data + "/audit"
    let patience = try patience(vault)
    let daemon = { () in
      Program(
        BuiltProducts.vaultd,
        ["--data", vault.data, "--runtime", vault.runtime, "--key-file", vault.keyFile] + patience,
        as: user)
    }
    var numbers: [Int] = []
    for mode: mode_t in [0o550, 0o000] {
      // Not its own, so that it cannot help itself.
      try #require(Program("/bin/chown", ["-R", "0:\(user)", audit]).run().isGood)
      unsafe chmod(audit, mode)
      for name in try FileManager.default.contentsOfDirectory(atPath: audit) {
        unsafe chmod(audit + "/" + name, 0o440)
      }
      try vault.start(daemon())
      let admin = try vault.connect(.admin)
      numbers += try call(admin, numbers.count..<(numbers.count + 3))
      let closed = try self.audit(admin)
      #expect(closed["segment_error"] as? String == "not_permitted", "\(mode): \(closed)")
      #expect(try damage(admin).isEmpty == (mode == 0o550))
      #expect(try admin.call("audit.checkpoint").code == "audit_unavailable")
      unsafe chmod(audit, 0o750)
      for name in try FileManager.default.contentsOfDirectory(atPath: audit) {
        unsafe chmod(audit + "/" + name, 0o640)
      }
      try #require(Program("/bin/chown", ["-R", "\(user):\(user)", audit]).run().isGood)
      try expectCaughtUp(admin)
      try expectVerified(vault, numbers)
    }
  }

  @Test(arguments: ["a link", "a pipe", "a file"])
  func `something else in the place of the audit directory is not used`(_ what: String) throws {
    let vault = try TestVault(initialising: ["--key-file", "key", "--no-recovery"])
    try vault.start()
    var numbers = try call(vault.connect(.admin), 0..<3)
    #expect(try vault.stop().isGood)
    let (audit, aside) = (vault.data + "/audit", vault.data + "/aside")
    try FileManager.default.moveItem(atPath: audit, toPath: aside)
    switch what {
    case "a link":
      try FileManager.default.createSymbolicLink(atPath: audit, withDestinationPath: aside)
    case "a pipe": #expect(unsafe mkfifo(audit, 0o600) == 0)
    default: try Data("x".utf8).write(to: URL(filePath: audit))
    }
    let before = try FileManager.default.contentsOfDirectory(atPath: aside)
    try vault.start(try patience(vault))
    let admin = try vault.connect(.admin)
    numbers += try call(admin, 3..<6)
    #expect(try self.audit(admin)["segment_error"] != nil)
    #expect(
      try damage(admin).first?.hasPrefix("the audit directory could not be read") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: aside) == before)
    unsafe unlink(audit)
    try FileManager.default.moveItem(atPath: aside, toPath: audit)
    try expectCaughtUp(admin)
    try expectVerified(vault, numbers)
  }

  @Test(arguments: ["a pipe", "a directory", "a link"])
  func `something else in the place of the newest segment is named, and left alone`(
    _ what: String
  ) throws {
    let vault = try TestVault(initialising: ["--key-file", "key", "--no-recovery"])
    try vault.start()
    _ = try call(vault.connect(.admin), 0..<3)
    #expect(try vault.stop().isGood)
    let segment = vault.data + "/audit/0000000001.jsonl"
    let aside = vault.directory.path + "/aside"
    try FileManager.default.moveItem(atPath: segment, toPath: aside)
    switch what {
    case "a pipe": #expect(unsafe mkfifo(segment, 0o600) == 0)
    case "a directory": #expect(unsafe mkdir(segment, 0o700) == 0)
    default: try FileManager.default.createSymbolicLink(atPath: segment, withDestinationPath: aside)
    }
    let before = try Data(contentsOf: URL(filePath: aside))
    try vault.start()
    let admin = try vault.connect(.admin)
    _ = try call(admin, 3..<6)
    let damage = try damage(admin)
    #expect(damage.first?.contains("were lost from the end of the log") == true, "\(damage)")
    try expectCaughtUp(admin)
    #expect(try Data(contentsOf: URL(filePath: aside)) == before)
    #expect(try vault.stop().isGood)
    // What is whole again is gone on with.
    try vault.start()
    #expect(try self.damage(vault.connect(.admin)) == [])
  }
}
