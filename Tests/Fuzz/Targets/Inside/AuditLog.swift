#if DEBUG || LIBFUZZER
  import Glibc
  import SecureMemory
  import Synchronization
  import VaultCrypto
  import VaultStore
  import WireCoding

  @testable import VaultCore

  /// An audit log that a vault wrote, and another history of its end that it wrote as well.
  struct AuditLog: Sendable {
    static let shared = AuditLog()

    let unsealed: UnsealedLedger
    /// The batches that the database goes on from.
    let batches: [AuditBatch]
    /// Every batch that the vault ever wrote.
    let genuine: [AuditBatch]
    /// A checkpoint behind each of the batches that the database goes on from.
    let checkpoints: [AuditCheckpoint]
    /// The chain before each batch, and after the last.
    private let chains: [AuditChain]

    private init() {
      let vaultID = [UInt8](repeating: 3, count: 16)
      let unsealed = Self.unsealed(vaultID)
      var chains = [AuditChain(vaultID: vaultID)]
      var batches: [AuditBatch] = []
      for number in 1...5 {
        let (batch, chain) = Self.batch(number, after: chains[number - 1], unsealed, pid: 1)
        batches.append(batch)
        chains.append(chain)
      }
      let (other, chain) = Self.batch(4, after: chains[3], unsealed, pid: 2)
      let (last, _) = Self.batch(5, after: chain, unsealed, pid: 2)
      self.unsealed = unsealed
      self.batches = batches
      self.chains = chains
      genuine = batches + [other, last]
      var text = AuditText()
      checkpoints = batches.map { batch in
        text.add(batch.exported)
        let made = Self.checkpoint(behind: batch, text, unsealed)
        text = AuditText(behind: made)
        return made
      }
    }

    /// The checkpoint of a log that has one behind each batch.
    private static func checkpoint(
      behind batch: AuditBatch, _ text: AuditText, _ unsealed: UnsealedLedger
    ) -> AuditCheckpoint {
      let position = AuditPosition(
        epoch: batch.number, chain: AuditChain(sequence: batch.last, head: batch.head))
      do {
        return try AuditCheckpoint(
          position, since: text.since, digest: text.digest, vaultID: unsealed.vaultID,
          at: Timestamp(clamping: 1_772_366_400), by: unsealed.keys.checkpoint)
      } catch {
        fatalError("no checkpoint: \(error)")
      }
    }

    /// The positions that the log goes through.
    var positions: [AuditPosition] {
      chains.enumerated().map { AuditPosition(epoch: Int64($0.offset), chain: $0.element) }
    }

    /// A batch with as many lines as its number, up to three.
    private static func batch(
      _ number: Int, after chain: AuditChain, _ unsealed: UnsealedLedger, pid: Int32
    ) -> (AuditBatch, AuditChain) {
      var chain = chain
      let first = chain.sequence + 1
      var lines: [UInt8] = []
      for _ in 0...number % 3 {
        let entry = AuditEntry(
          "vault.status", by: AuditEntry.Subject(Caller(uid: 0, gid: 0, groups: [], pid: pid)))
        lines += chain.append(entry, at: 1_772_366_400)
      }
      let batch = AuditBatch(number: Int64(number), first: first, lines: lines, chain: chain)
      return (batch.signed(by: unsealed), chain)
    }

    private static func unsealed(_ vaultID: [UInt8]) -> UnsealedLedger {
      let zeros = [UInt8](repeating: 0, count: 32)
      let vault = VaultRow(
        vaultID: vaultID, instanceID: vaultID, format: 1, created: 0, keyCheck: zeros)
      let state = StateRow(
        indexVersion: 0, epoch: 0, seq: 0, chainHead: zeros, clockFloor: 0, indexRoot: [],
        slotSet: [], nextSlot: 1, policyRevision: 0, policyDigest: zeros, erasurePending: 0,
        groupsIndexed: true, mac: zeros)
      do {
        let master = try MasterKey(SecretBytes(copying: [UInt8](repeating: 9, count: 32).span))
        return UnsealedLedger(
          keys: try VaultKeys(master), vault: vault, state: state,
          view: IndexView(version: 0, pages: [], groupsIndexed: true))
      } catch {
        fatalError("no vault: \(error)")
      }
    }

    /// What the log owes when the database has the last batches itself.
    func debt(_ count: Int) -> AuditDebt {
      let owed = batches.suffix(count)
      let before = chains[batches.count - count]
      return AuditDebt(
        first: Int64(batches.count - count + 1), line: before.sequence, head: before.head,
        batches: Array(owed), findings: [])
    }

    /// Puts a part of a segment together, as a record says.
    func write(_ record: Records.Record, to text: inout [UInt8]) {
      let first = Int(record.octets.first ?? 0)
      let batch = genuine[first % genuine.count]
      switch record.kind & 7 {
      case 0: text += batch.exported
      case 1: text += record.octets
      case 2: text += batch.lines
      case 3: text += batch.seal.line
      case 4: text.removeLast(min(first, text.count))
      case 5 where !text.isEmpty:
        let place = (first << 8 | Int(record.octets.dropFirst().first ?? 0)) % text.count
        text[text.count - 1 - place] ^= 1 << (record.octets.dropFirst(2).first ?? 0 & 7)
      case 6: text += checkpoints[first % checkpoints.count].line
      default: text += [UInt8](repeating: 0, count: first)
      }
    }

    /// A row of the outbox is proven as it was written, and no other way.
    func checkRow(of number: UInt8, _ text: [UInt8]) {
      let batch = genuine[Int(number) % genuine.count]
      var row = batch.row
      row.lines = text
      let expected = text == batch.lines ? batch : nil
      require(AuditBatch.proven(row, unsealed) == expected, "a row is proven as it was written")
    }
  }

  /// Segments in memory.
  final class MemorySegments: AuditSource {
    private let files: Mutex<[Int64: MemoryFile]>

    init(_ texts: [[UInt8]]) {
      var files: [Int64: MemoryFile] = [:]
      for (index, text) in texts.enumerated() { files[Int64(index) + 1] = MemoryFile(text) }
      self.files = Mutex(files)
    }

    func sizes() throws(AuditFileError) -> [Int64: Int64] {
      files.withLock { $0.mapValues { Int64($0.text.count) } }
    }

    func open(_ number: Int64) throws(AuditFileError) -> any AuditFile {
      guard let file = files.withLock({ $0[number] }) else { throw AuditFileError(code: ENOENT) }
      return file
    }

    func make(_ number: Int64) throws(AuditFileError) -> any AuditFile {
      let made = MemoryFile([])
      let isFree = files.withLock { files in
        guard files[number] == nil else { return false }
        files[number] = made
        return true
      }
      guard isFree else { throw AuditFileError(code: EEXIST) }
      return made
    }

    func remove(_ number: Int64) throws(AuditFileError) { files.withLock { $0[number] = nil } }

    func pruneFile(isNew: Bool) throws(AuditFileError) -> (any AuditFile)? {
      isNew ? MemoryFile([]) : nil
    }
  }

  /// A file in memory.
  final class MemoryFile: AuditFile {
    private let octets: Mutex<[UInt8]>

    init(_ text: [UInt8]) {
      octets = Mutex(text)
    }

    var text: [UInt8] { octets.withLock { $0 } }

    func size() throws(AuditFileError) -> Int64 { Int64(text.count) }

    func read(at offset: Int64, count: Int) throws(AuditFileError) -> [UInt8] {
      Array(text.dropFirst(Int(offset)).prefix(count))
    }

    func append(_ bytes: [UInt8]) throws(AuditFileError) { octets.withLock { $0 += bytes } }

    func truncate(to size: Int64) throws(AuditFileError) {
      octets.withLock { $0.removeSubrange(Int(size)...) }
    }

    func synchronise() throws(AuditFileError) {}
  }
#endif
import AccessPolicy
