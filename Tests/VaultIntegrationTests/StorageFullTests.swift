import Foundation
import Glibc
import Testing

/// A full disk: nothing is half done, nothing is answered that is not kept, and it passes.
@Suite struct StorageFullTests {
  @Test(.enabled(if: SmallDisk.canMount, SmallDisk.why))
  func `a full disk refuses changes, and passes when there is room again`()
    throws
  {
    let place = try TemporaryDirectory()
    let disk = try #require(SmallDisk(at: place.path + "/disk", size: "8m"))
    let vault = try TestVault(
      initialising: ["--key-file", "key", "--no-recovery"], data: disk.path + "/data")
    try vault.start()
    let socket = try vault.connect()
    var made: [String: String] = [:]
    func make(_ name: String) throws -> Answer {
      let answer = try socket.call("key.public", ["namespace": name, "purpose": "signing"])
      if let point = answer.text("point") { made[name] = point }
      return answer
    }
    #expect(try make("before").flag("created") == true)

    try disk.fill()
    // Pages that the log has already may take a few more.
    var refusal: Answer?
    for number in 0..<2_000 where refusal == nil {
      let answer = try make("full/\(number)")
      if answer.result == nil { refusal = answer }
    }
    #expect(isFull(refusal), "\(refusal?.line ?? "nothing was refused")")
    for _ in 0..<5 {
      #expect(try socket.call("health").flag("ok") == true)
      #expect(try socket.call("status").text("state") == "unsealed")
      let another = try socket.call("key.public", ["namespace": "full/another"])
      #expect(isFull(another), "\(another.line)")
    }

    disk.empty()
    let resumed = try eventually { try make("after").result != nil }
    #expect(resumed)
    #expect(try make("full/another").flag("created") == true)
    try expect(made, socket)
    let status = try socket.call("status")
    let audit = status.result?["audit"] as? [String: Any]
    #expect(audit?["available"] as? Bool == true, "\(status.line)")

    let identifier = try #require(status.text("vault_id"))
    #expect(try vault.stop().isGood)
    let chain = try Program(
      interop: "verify_audit.py", [vault.data + "/audit", "--vault", identifier]
    ).run()
    #expect(chain.isGood, "\(chain.output)\(chain.errors)")
    try vault.start()
    try expect(made, try vault.connect())
  }

  @Test(.enabled(if: SmallDisk.canMount, SmallDisk.why))
  func `a full disk lets through what only takes away, and refuses all else until there is room`()
    throws
  {
    let place = try TemporaryDirectory()
    let disk = try #require(SmallDisk(at: place.path + "/disk", size: "8m"))
    let vault = try TestVault(
      initialising: ["--key-file", "key", "--recovery-file", "recovery"],
      data: disk.path + "/data")
    try vault.start()
    let admin = try vault.connect(.admin)
    for number in 0..<20 {
      #expect(try admin.call("key.public", ["namespace": "door/\(number)"]).result != nil)
    }
    #expect(try admin.call("namespace.suspend", ["namespace": "door/19"]).result != nil)
    #expect(try admin.call("namespace.create", ["namespace": "empty"]).result != nil)
    try fill(disk, admin)
    // What takes nothing away must not use up what is kept back.
    for _ in 0..<1_000 {
      for call in [
        ("pass.delete", "empty"), ("namespace.suspend", "door/19"), ("pass.delete", "none"),
      ] {
        let answer = try admin.call(call.0, ["namespace": call.1])
        #expect(answer.code == "storage_full", "\(answer.line)")
      }
    }
    for number in 0..<10 {
      let gone = try admin.call("namespace.revoke", ["namespace": "door/\(number)"])
      #expect(gone.flag("revoked") == true, "\(gone.line)")
    }
    let deleted = try admin.call("pass.delete", ["namespace": "door/10"])
    #expect(deleted.flag("key") == true, "\(deleted.line)")
    let removed = try admin.call("slot.remove", ["slot": 2])
    #expect(removed.flag("removed") == true, "\(removed.line)")
    disk.empty()
    let resumed = try eventually {
      try admin.call("key.public", ["namespace": "after"]).result != nil
    }
    #expect(resumed)
    #expect(try vault.stop().isGood)
    try vault.start()
    let again = try vault.connect(.admin)
    for number in 0..<10 {
      let answer = try again.call("key.public", ["namespace": "door/\(number)"])
      #expect(answer.code == "revoked", "\(answer.line)")
    }
    let key = try again.call("key.public", ["namespace": "door/10"])
    #expect(key.flag("created") == true, "\(key.line)")
  }

  /// Whether a call was refused for want of room: the database or the segment notices it first.
  private func isFull(_ answer: Answer?) -> Bool {
    answer?.code == "storage_full" && answer?.number == -32015
      || answer?.code == "audit_unavailable" && answer?.number == -32014
  }

  /// Fills a disk, and what room the vault's files still have.
  private func fill(_ disk: SmallDisk, _ admin: VaultSocket) throws {
    try disk.fill()
    for number in 0..<2_000 {
      guard try admin.call("key.public", ["namespace": "full/\(number)"]).result != nil else {
        return
      }
    }
  }

  private func expect(_ made: [String: String], _ socket: VaultSocket) throws {
    for (name, point) in made {
      let answer = try socket.call("key.public", ["namespace": name, "purpose": "signing"])
      #expect(answer.text("point") == point, "\(name): \(answer.line)")
    }
  }

  @Test func `a limit on file sizes is taken for a full disk, not for the end`() throws {
    let vault = try TestVault()
    let process = try #require(vault.daemon).processID
    func limit(_ bytes: String) throws {
      let outcome = try Program(
        "/usr/bin/prlimit", ["--pid", "\(process)", "--fsize=\(bytes):"]
      ).run()
      try #require(outcome.isGood, "\(outcome.errors)")
    }
    let socket = try vault.connect()
    var made: [String: String] = [:]
    func make(_ name: String) throws -> Answer {
      let answer = try socket.call("key.public", ["namespace": name, "purpose": "signing"])
      if let point = answer.text("point") { made[name] = point }
      return answer
    }
    #expect(try make("before").flag("created") == true)
    try limit("200000")
    var refusal: Answer?
    for number in 0..<2_000 where refusal == nil {
      let answer = try make("full/\(number)")
      if answer.result == nil { refusal = answer }
    }
    #expect(isFull(refusal), "\(refusal?.line ?? "nothing was refused")")
    try limit("unlimited")
    #expect(try eventually { try make("after").result != nil })
    #expect(try vault.stop().isGood)
    try vault.start()
    try expect(made, try vault.connect())
  }

  @Test(.enabled(if: SmallDisk.canMount, SmallDisk.why))
  func `sealing works on a full disk, and so does the next start`() throws {
    let place = try TemporaryDirectory()
    let disk = try #require(SmallDisk(at: place.path + "/disk", size: "8m"))
    let vault = try TestVault(
      initialising: ["--key-file", "key", "--no-recovery"], data: disk.path + "/data")
    try vault.start()
    let admin = try vault.connect(.admin)
    try fill(disk, admin)
    let sealed = try admin.call("seal")
    // The space kept back has room for its line.
    #expect(sealed.text("state") == "sealed", "\(sealed.line)")
    #expect(try admin.call("status").text("state") == "sealed")
    #expect(try admin.call("key.public", ["namespace": "full/0"]).code == "sealed")
    disk.empty()
    #expect(try vault.control("unseal", "--key-file", vault.keyFile).isGood)
    #expect(try admin.call("key.public", ["namespace": "after"]).result != nil)
  }
}
