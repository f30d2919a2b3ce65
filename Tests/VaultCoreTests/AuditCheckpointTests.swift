import Foundation
import SecureMemory
import Testing
import VaultCrypto
import WireCoding

@testable import VaultCore

/// Checkpoints: their grammar, and what they vouch for, checked with openssl and b2sum.
@Suite struct AuditCheckpointTests {
  private static func key(_ octet: UInt8 = 4) throws -> Ed25519PrivateKey {
    try Ed25519PrivateKey(seed: SecretBytes(copying: [UInt8](repeating: octet, count: 32).span))
  }

  private static func made(_ sequence: Int64 = 12, _ batch: Int64 = 5) throws -> AuditCheckpoint {
    try AuditCheckpoint(
      AuditPosition(
        epoch: batch,
        chain: AuditChain(sequence: sequence, head: [UInt8](repeating: 1, count: 32))),
      since: 7, digest: [UInt8](repeating: 2, count: 32), vaultID: [UInt8](repeating: 3, count: 16),
      at: Timestamp("2026-01-15T08:30:00Z"), by: key())
  }

  /// Runs a command in a directory; what it wrote.
  private func run(
    _ command: String, in directory: String, accepts: Int32 = 0
  ) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    process.currentDirectoryURL = URL(filePath: directory)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == accepts, "\(command)")
    return String(decoding: data, as: UTF8.self)
  }

  @Test func `a line is exactly what the manual says`() throws {
    let line = String(decoding: try Self.made().line, as: UTF8.self)
    let (vault, head) = (String(repeating: "03", count: 16), String(repeating: "01", count: 32))
    let log = String(repeating: "02", count: 32)
    let key = Hex.encode(try Self.key().publicKey.octets.span)
    let text =
      #"{"checkpoint":12,"since":7,"time":"2026-01-15T08:30:00Z","vault":"\#(vault)","batch":5,"#
      + #""head":"\#(head)","log":"\#(log)","key":"\#(key)""#
    #expect(line.hasPrefix(text + #","signature":""#) && line.hasSuffix("\"}\n"))
    #expect(line.utf8.count == text.utf8.count + 14 + 128 + 3)
    #expect(line.utf8.count < AuditCheckpoint.longest)
    #expect(try Self.made().signedText == Array("latchkey audit checkpoint\n\(text)".utf8))
    let read = try #require(AuditCheckpoint(line: Array(line.utf8.dropLast())))
    #expect(try read == Self.made() && read.isSigned)
    let longest = try Self.made(1 << 53, 1 << 53).line
    #expect(longest.count < AuditCheckpoint.longest)
    #expect(AuditCheckpoint(line: longest.dropLast()) != nil)
  }

  @Test func `nothing but such a line is one, and any change of it is noticed`() throws {
    let line = Array(try Self.made().line.dropLast())
    for index in line.indices {
      for bit in 0..<8 {
        var changed = line
        changed[index] ^= 1 << UInt8(bit)
        #expect(
          AuditCheckpoint(line: changed)?.isSigned != true, "octet \(index), bit \(bit)")
      }
      #expect(AuditCheckpoint(line: Array(line[..<index])) == nil, "the first \(index)")
      var without = line
      without.remove(at: index)
      #expect(AuditCheckpoint(line: without)?.isSigned != true, "without octet \(index)")
    }
    for text in ["", "{", "{\"checkpoint\":}", String(repeating: "\"", count: 5_000)] {
      #expect(AuditCheckpoint(line: Array(text.utf8)) == nil)
    }
    #expect(AuditCheckpoint(line: line + [10]) == nil)
    #expect(AuditPruneRecord(line: line) == nil)
    let text = String(decoding: line, as: UTF8.self)
    for (old, new) in [
      (":12,", ":012,"), (":12,", ":-12,"), (":12,", ":9007199254740993,"), (":12,", ": 12,"),
      (":5,", ":0,"), ("08:30:00Z", "08:30:60Z"), ("\"vault\"", "\"Vault\""), ("03", "0G"),
    ] {
      let changed = text.replacing(old, with: new, maxReplacements: 1)
      #expect(changed != text && AuditCheckpoint(line: Array(changed.utf8)) == nil, "\(changed)")
    }
  }

  @Test func `a record of what was taken away is no checkpoint, though it says the same`() throws {
    let made = try Self.made()
    let record = try AuditPruneRecord(
      made.position, since: 0, digest: BLAKE2b.hash(made.line.span), vaultID: made.vaultID,
      at: made.time,
      by: Self.key())
    let text = String(decoding: record.line, as: UTF8.self)
    #expect(text.hasPrefix("{\"pruned\":12,") && text.contains("\"checkpoint_digest\":\""))
    #expect(AuditPruneLog.Entry(made, record) != nil)
    // A signature of the one kind is none of the other.
    var forged = made
    forged.digest = record.digest
    forged.signature = record.signature
    #expect(!forged.isSigned)
    let other = try AuditPruneRecord(
      made.position, since: 0, digest: BLAKE2b.hash(made.line.span), vaultID: made.vaultID,
      at: made.time,
      by: Self.key(5))
    #expect(AuditPruneLog.Entry(made, other) == nil)
    let log = AuditPruneLog(text: made.line + record.line + made.line + other.line)
    #expect(log.entries.count == 1 && log.length == made.line.count + record.line.count)
    let torn = AuditPruneLog(text: made.line + record.line.dropLast())
    #expect(torn.entries.isEmpty && torn.length == 0)
  }

  @Test func `what a crash leaves of a line is known from what is no part of it`() throws {
    let test = try CommitTestVault()
    let made = try test.checkpoint().value
    let unsealed = try #require(test.vault.ledger.unsealed)
    func mayBecome(_ octets: [UInt8]) -> Bool {
      AuditCheckpoint.mayBecome(octets, at: made.position, since: made.since, unsealed)
    }
    let line = made.line
    for count in 0..<line.count { #expect(mayBecome(Array(line[..<count])), "\(count)") }
    #expect(!mayBecome(line) && !mayBecome(line + [0]))
    for index in line.indices {
      var changed = line
      changed[index] = 0
      #expect(mayBecome(changed), "octet \(index) is missing")
      changed[index] = UInt8(ascii: "x")
      #expect(!mayBecome(Array(changed[...index])), "octet \(index) is another")
    }
  }

  @Test func `openssl and b2sum find what the checkpoints of a log say`() throws {
    let test = try CommitTestVault()
    try test.publicKey("a")
    for _ in 0..<3 {
      try test.sign("a")
      try test.checkpoint()
    }
    let answer = try test.checkpoint()
    #expect(answer.value.sequence == answer.sequence)
    #expect(test.vault.checkpointKey == answer.value.key)
    test.vault.close()
    let directory = test.directory.path + "/audit"
    let log = try String(contentsOfFile: directory + "/0000000001.jsonl", encoding: .utf8)
    var since = ""
    var count = 0
    for line in log.split(separator: "\n") {
      if line.hasPrefix("{\"checkpoint\"") {
        let made = try #require(AuditCheckpoint(line: Array(line.utf8)))
        try Data(since.utf8).write(to: URL(filePath: directory + "/text"))
        let digest = try run("b2sum -l 256 < text", in: directory)
        #expect(digest.hasPrefix(Hex.encode(made.digest.span) + " "))
        let signed =
          "latchkey audit checkpoint\n" + (line.components(separatedBy: ",\"sig").first ?? "")
        try Data(signed.utf8).write(to: URL(filePath: directory + "/signed"))
        try Data(made.signature).write(to: URL(filePath: directory + "/signature"))
        let info = try Hex.decode("302a300506032b6570032100") + answer.value.key
        try Data(info).write(to: URL(filePath: directory + "/key"))
        _ = try run(
          "openssl pkeyutl -verify -rawin -pubin -inkey key -keyform DER -sigfile signature"
            + " -in signed", in: directory)
        since = ""
        count += 1
      }
      since += line + "\n"
    }
    // At the start, those that were asked for, and at the end.
    #expect(count == 6)
  }

  @Test func `in a pause the last lines are covered, though nobody calls`() throws {
    let test = try CommitTestVault()
    let last = try test.publicKey("a").sequence
    let isCovered = (0..<1_000).contains { _ in
      usleep(10_000)
      return test.vault.committer.status.checkpoint ?? 0 >= last
    }
    #expect(isCovered)
  }

  @Test func `sealing and stopping end the log with a checkpoint`() throws {
    let test = try CommitTestVault()
    try test.seal()
    let sealed = try AuditLog(directory: test.directory.path, vaultID: test.vault.vaultID)
    #expect(sealed.checkpoints.last?.sequence == sealed.lines.last?.sequence)
    #expect(sealed.lines.last?.method == "seal")
    #expect(code { try test.checkpoint() } == .sealed)
    try test.unseal()
    test.vault.close()
    let stopped = try AuditLog(directory: test.directory.path, vaultID: test.vault.vaultID)
    #expect(stopped.checkpoints.last?.sequence == stopped.lines.last?.sequence)
    #expect(stopped.lines.last?.method == "vault.stop")
  }
}
