import AccessPolicy
import SecureMemory
import VaultCrypto
import WireCoding

@testable import VaultCore

/// An audit log made up line by line, as a vault with this master key would write it.
struct WrittenLog {
  /// What a line is.
  enum Kind: Hashable { case line, seal, checkpoint, closing, record }

  /// A line of the text, without its line feed.
  struct Part: Hashable {
    var kind: Kind
    var text: [UInt8]
    /// The file it stands in.
    var file: Int

    /// What the chain needs of it, if it is a line that tells of a call.
    var line: LogItem.Line? { LogItem.Line(text.span) }
  }

  /// The names of the files, in the order of their text.
  private(set) var files: [String] = []
  var parts: [Part] = []
  let vaultID: [UInt8]
  let key: [UInt8]
  /// The last checkpoint.
  private(set) var checkpoint: AuditCheckpoint?

  let keys: VaultKeys
  private var chain: AuditChain
  private var batch: Int64 = 0
  private var window = BLAKE2bStream()
  private var since: Int64 = 0
  private var records: [Part] = []

  /// An empty log.
  init(vault: UInt8) throws {
    vaultID = [UInt8](repeating: vault, count: 16)
    keys = try VaultKeys(
      MasterKey(SecretBytes(copying: [UInt8](repeating: vault ^ 0x5A, count: 32).span)))
    key = keys.checkpoint.publicKey.octets
    chain = AuditChain(vaultID: vaultID)
    begin()
  }

  /// A log of one vault with every kind of line in several segments, the first of which may have been
  /// taken away; two histories of the same vault differ by `pid` from a batch on.
  static func sample(
    vault: UInt8 = 3, pid: Int32 = 1, from divergence: Int = 1, pruned: Bool = true
  ) throws -> WrittenLog {
    var log = try WrittenLog(vault: vault)
    let sizes = [2, 1, 1, 3, 2, 1, 4, 1, 2, 2, 1, 3, 2, 1]
    for (index, size) in sizes.enumerated() {
      log.write(lines: size, pid: index + 1 >= divergence ? pid : 1)
      if [2, 3, 5, 6, 9, 11, 12].contains(index + 1) { try log.vouch() }
      if [3, 5, 11].contains(index + 1) { log.begin() }
      if pruned, [3, 5].contains(index + 1) { try log.prune() }
    }
    return log
  }

  /// Writes a batch.
  mutating func write(lines count: Int, pid: Int32 = 1) {
    let first = chain.sequence + 1
    var lines: [UInt8] = []
    for index in 0..<count {
      let caller = Caller(uid: 1000 + UInt32(index), gid: 0, groups: [], pid: pid)
      var entry = AuditEntry(
        "key.sign", by: AuditEntry.Subject(caller, by: .client, policy: 7),
        namespace: try? NamespaceName("demo/door-\(index)"))
      entry.detailDigest = BLAKE2b.hash([UInt8(index)].span)
      lines += chain.append(entry, at: 1_772_366_400 + chain.sequence)
    }
    batch += 1
    var sealed = AuditBatch(number: batch, first: first, lines: lines, chain: chain)
    sealed.mac = keys.audit.code(sealed.seal.macInput(vaultID).span)
    for line in lines.dropLast().split(separator: 10) { take(.line, Array(line)) }
    take(.seal, sealed.seal.line.dropLast())
  }

  /// Writes a checkpoint.
  mutating func vouch() throws {
    let made = try AuditCheckpoint(
      AuditPosition(epoch: batch, chain: chain), since: since, digest: window.digest(),
      vaultID: vaultID, at: Timestamp(clamping: 1_772_366_400 + chain.sequence),
      by: keys.checkpoint)
    window = BLAKE2bStream()
    since = chain.sequence
    checkpoint = made
    take(.checkpoint, made.line.dropLast())
  }

  /// Begins the next segment.
  mutating func begin() {
    let number = String(chain.sequence + 1)
    files.append(String(repeating: "0", count: 10 - number.count) + number + ".jsonl")
  }

  /// Takes all segments but the newest away.
  mutating func prune() throws {
    guard let checkpoint else { return }
    let before = records.last.flatMap { AuditPruneRecord(line: $0.text)?.sequence } ?? 0
    let record = try AuditPruneRecord(
      AuditPosition(epoch: batch, chain: chain), since: before,
      digest: BLAKE2b.hash(checkpoint.line.span), vaultID: vaultID,
      at: Timestamp(clamping: 1_772_366_400), by: keys.checkpoint)
    records += [
      Part(kind: .closing, text: checkpoint.line.dropLast(), file: 0),
      Part(kind: .record, text: record.line.dropLast(), file: 0),
    ]
    files = ["pruned.jsonl"] + files.suffix(1)
    parts = records
  }

  private mutating func take(_ kind: Kind, _ text: some Sequence<UInt8>) {
    let part = Part(kind: kind, text: Array(text), file: files.count - 1)
    window.update(part.text.span)
    window.update([10].span)
    parts.append(part)
  }
}

extension WrittenLog {
  /// Where a part begins in its file.
  func offset(_ index: Int) -> Int {
    parts[..<index].filter { $0.file == parts[index].file }.reduce(0) { $0 + $1.text.count + 1 }
  }

  /// The line that a part is.
  func place(_ index: Int) -> AuditFault.Place { Self.place(index, in: parts, files) }

  /// The line that a part is; behind the last one, the line that would come.
  static func place(_ index: Int, in parts: [Part], _ files: [String]) -> AuditFault.Place {
    let file = index < parts.count ? parts[index].file : files.count - 1
    return AuditFault.Place(
      file: files[file], line: Int64(parts[..<index].count { $0.file == file } + 1))
  }
}
