import VaultStore
import WireCoding

/// The audit segment that is written: where the next batch goes, and what is known to be durable.
///
/// Used by the committer's thread alone.
final class AuditSegment {
  /// A place in the log, behind a batch or a checkpoint.
  struct Place: Sendable {
    /// The last batch before it, and its last line.
    var position: AuditPosition
    /// The last batch that was appended or passed over.
    var batch: Int64
    /// Where it is in the file.
    var end: Int64 = 0
    /// The text before it that no checkpoint covers.
    var text: AuditText

    /// The beginning of a file that goes on from a batch.
    init(behind position: AuditPosition, _ text: AuditText) {
      self.position = position
      batch = position.epoch
      self.text = text
    }

    /// Goes past a batch.
    mutating func pass(_ seal: AuditBatchSeal, _ exported: [UInt8]) {
      position = AuditPosition(
        epoch: seal.number, chain: AuditChain(sequence: seal.last, head: seal.head))
      batch = seal.number
      end += Int64(exported.count)
      text.add(exported)
    }

    /// Goes past a checkpoint.
    mutating func pass(_ checkpoint: AuditCheckpoint) {
      end += Int64(checkpoint.line.count)
      text = AuditText(behind: checkpoint)
    }
  }

  /// The number in the segment's name.
  let number: Int64
  private let file: any AuditFile
  /// Behind what was appended.
  private(set) var appended: Place
  /// Behind what is known to be on the device.
  private var durable: Place
  /// Whether ``durable`` was waited for, rather than found.
  private var isSynchronised: Bool
  /// Whether something may stand behind ``appended`` that a crash or a failure left there.
  private var hasRemnant: Bool

  /// Goes on with a segment.
  ///
  /// - Parameters:
  ///   - number: the number in its name.
  ///   - file: the segment.
  ///   - place: where the next batch goes; what stands behind it is a remnant.
  ///   - durable: from where on the outbox has everything; ``place`` by default.
  ///   - isSynchronised: whether what leads to ``durable`` was waited for.
  init(
    number: Int64, file: any AuditFile, at place: Place, durable: Place? = nil,
    isSynchronised: Bool = false
  ) {
    self.number = number
    self.file = file
    appended = place
    self.durable = durable ?? place
    self.isSynchronised = isSynchronised
    hasRemnant = true
  }

  /// The last batch that survives power loss; outbox rows up to it may go.
  var synchronised: Int64 { isSynchronised ? durable.batch : 0 }

  /// How many octets power loss could take.
  var unsynchronised: Int64 { appended.end - durable.end }

  /// How many lines power loss could take.
  var unsynchronisedLines: Int64 {
    appended.position.chain.sequence - durable.position.chain.sequence
  }

  /// Appends a committed batch.
  func append(_ batch: AuditBatch) throws(AuditFileError) {
    let text = batch.exported
    try write(text)
    appended.pass(batch.seal, text)
  }

  /// Passes over a batch that nothing vouches for.
  func skip(_ batch: Int64) {
    appended.batch = batch
  }

  /// Makes what was appended durable.
  ///
  /// After a failure everything since the last success is written again: the kernel may have dropped
  /// those pages, and would report the next attempt as a success all the same.
  func synchronise() throws(AuditFileError) {
    guard !isSynchronised || durable.end != appended.end || durable.batch != appended.batch else {
      return
    }
    do throws(AuditFileError) {
      guard try file.size() >= appended.end else { throw .cut }
      try file.synchronise()
      durable = appended
      isSynchronised = true
    } catch {
      appended = durable
      hasRemnant = true
      throw error
    }
  }

  /// Writes a checkpoint behind the last batch, durable before this returns.
  ///
  /// What it vouches for is durable before it is written, so a crash never leaves it behind a gap.
  func checkpoint(
    _ unsealed: UnsealedLedger, at time: Timestamp
  ) throws(AuditFileError) -> AuditCheckpoint {
    try synchronise()
    let checkpoint: AuditCheckpoint
    do {
      checkpoint = try AuditCheckpoint(
        appended.position, since: appended.text.since, digest: appended.text.digest,
        vaultID: unsealed.vaultID, at: time, by: unsealed.keys.checkpoint)
    } catch { throw .unsigned }
    try write(checkpoint.line)
    appended.pass(checkpoint)
    try synchronise()
    return checkpoint
  }

  /// The segment that goes on where this one, which ends with a checkpoint, is closed.
  func successor(number: Int64, file: any AuditFile, _ text: AuditText) -> AuditSegment {
    AuditSegment(
      number: number, file: file, at: Place(behind: appended.position, text),
      isSynchronised: isSynchronised)
  }

  /// Leaves the segment, which ends with a checkpoint, as it shall stay.
  func finish() throws(AuditFileError) {
    try cutRemnant()
    try synchronise()
  }

  /// Cuts off what a failed attempt or a crash left behind ``appended``.
  private func cutRemnant() throws(AuditFileError) {
    let size = try file.size()
    guard size >= appended.end else { throw .cut }
    guard size > appended.end else { return }
    guard hasRemnant else { throw .foreignText }
    try file.truncate(to: appended.end)
  }

  /// Writes behind ``appended``.
  private func write(_ text: [UInt8]) throws(AuditFileError) {
    try cutRemnant()
    hasRemnant = true
    try file.append(text)
    hasRemnant = false
  }
}
