import AccessPolicy
#if DEBUG || LIBFUZZER
  import SecureMemory
  import VaultCrypto
  import WireCoding

  @testable import VaultCore

  /// A small audit log with checkpoints, as a vault would write it.
  struct FuzzedLog: Sendable {
    static let genuine = make { try FuzzedLog(vault: 3, pid: 1) }
    /// Another history of the same vault from its third batch on.
    static let other = make { try FuzzedLog(vault: 3, pid: 2) }
    /// Another vault's.
    static let foreign = make { try FuzzedLog(vault: 4, pid: 1) }
    static let all = [genuine, other, foreign]

    /// A record that the first lines of the genuine one were taken away.
    static let record = make {
      guard let checkpoint = genuine.checkpoints.first else { fatalError("no checkpoint") }
      return try AuditPruneRecord(
        AuditPosition(
          epoch: checkpoint.batch,
          chain: AuditChain(sequence: checkpoint.sequence, head: checkpoint.head)),
        since: 0, digest: BLAKE2b.hash(checkpoint.line.span), vaultID: checkpoint.vaultID,
        at: checkpoint.time, by: keys(vault: 3).checkpoint)
    }

    let key: [UInt8]
    private(set) var checkpoints: [AuditCheckpoint] = []
    /// The lines, each with its line feed.
    private var lines: [[UInt8]] = []

    private init(vault: UInt8, pid: Int32) throws {
      let keys = try Self.keys(vault: vault)
      key = keys.checkpoint.publicKey.octets
      let vaultID = [UInt8](repeating: vault, count: 16)
      var chain = AuditChain(vaultID: vaultID)
      var window = BLAKE2bStream()
      for number in 1...6 {
        let first = chain.sequence + 1
        for _ in 0...number % 3 {
          let caller = Caller(uid: 0, gid: 0, groups: [], pid: number < 3 ? 1 : pid)
          let line = chain.append(AuditEntry("status", by: .init(caller)), at: 1_772_366_400)
          lines.append(line)
          window.update(line.span)
        }
        var seal = AuditBatchSeal(
          number: Int64(number), first: first, last: chain.sequence, head: chain.head, mac: [])
        seal.mac = keys.audit.code(seal.macInput(vaultID).span)
        let closing = seal.line
        lines.append(closing)
        window.update(closing.span)
        guard number % 2 == 0 else { continue }
        let checkpoint = try AuditCheckpoint(
          AuditPosition(epoch: Int64(number), chain: chain),
          since: checkpoints.last?.sequence ?? 0, digest: window.digest(), vaultID: vaultID,
          at: Timestamp(clamping: 1_772_366_400), by: keys.checkpoint)
        checkpoints.append(checkpoint)
        let line = checkpoint.line
        lines.append(line)
        window = BLAKE2bStream()
        window.update(line.span)
      }
    }

    private static func keys(vault: UInt8) throws -> VaultKeys {
      let master = [UInt8](repeating: vault ^ 0x5A, count: 32)
      return try VaultKeys(MasterKey(SecretBytes(copying: master.span)))
    }

    private static func make<Value>(_ body: () throws -> Value) -> Value {
      do { return try body() } catch { fatalError("no log: \(error)") }
    }

    /// A line of one of the logs, or the record, without its line feed.
    static func line(_ index: UInt8) -> [UInt8]? {
      let lines = all.flatMap(\.lines) + [record.line]
      return lines.indices.contains(Int(index)) ? lines[Int(index)].dropLast() : nil
    }

    /// The text of some lines; behind the last one come the checkpoint and the record that the
    /// beginning was taken away.
    func parts(_ first: Int, through last: Int) -> [UInt8] {
      let all = lines + [checkpoints[0].line, Self.record.line]
      let (first, last) = (first % all.count, last % all.count)
      return first <= last ? all[first...last].flatMap { $0 } : []
    }

    /// What the vault may have written up to the checkpoint of a line: either history, whole, or
    /// behind the record that its beginning was taken away, whether or not that was done.
    static func texts(upTo sequence: Int64) -> [[UInt8]] {
      let taken = genuine.checkpoints[0].line + record.line
      let first = genuine.text(upTo: record.sequence) ?? []
      return [genuine, other].compactMap { $0.text(upTo: sequence) }.flatMap { text in
        [text, taken + text, taken + text.dropFirst(first.count)]
      }
    }

    /// The text up to the checkpoint of a line, itself included.
    private func text(upTo sequence: Int64) -> [UInt8]? {
      guard let checkpoint = checkpoints.first(where: { $0.sequence == sequence }),
        let end = lines.firstIndex(of: checkpoint.line)
      else { return nil }
      return lines[...end].flatMap { $0 }
    }
  }
#endif
