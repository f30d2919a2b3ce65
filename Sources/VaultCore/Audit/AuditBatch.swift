import VaultCrypto
import VaultStore
import WireCoding

/// The lines of one commit, and the proof that this vault wrote them.
struct AuditBatch: Hashable, Sendable {
  /// The number of the commit; the state row's epoch.
  var number: Int64
  /// The numbers of the first and the last line.
  var first: Int64
  var last: Int64
  /// The lines, each with its line feed.
  var lines: [UInt8]
  /// BLAKE2b-256 of the last line: the head of the chain after this batch.
  var head: [UInt8]
  /// Keyed BLAKE2b-256 over all of it but the lines, which the head stands for.
  var mac: [UInt8]

  /// A batch that has no MAC yet.
  init(number: Int64, first: Int64, lines: [UInt8], chain: AuditChain) {
    self.number = number
    self.first = first
    last = chain.sequence
    self.lines = lines
    head = chain.head
    mac = []
  }

  /// Reads a batch out of the outbox.
  ///
  /// Gives `nil` when the lines do not follow each other; the chain is then as it was.
  ///
  /// - Parameters:
  ///   - row: the row.
  ///   - chain: where the chain stood before it, moved on behind it; `nil` takes the word of the
  ///     first line, for batches whose MAC is checked as well.
  init?(_ row: OutboxRow, continuing chain: inout AuditChain?) {
    // Nothing about the row is proven yet: its numbers must not lead to an overflow.
    guard AuditChain.numbers.contains(row.batch), AuditChain.numbers.contains(row.firstSeq),
      row.lines.last == UInt8(ascii: "\n")
    else { return nil }
    var follower = chain ?? AuditChain(before: row)
    let start = follower?.sequence ?? 0
    for line in row.lines.dropLast().split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    {
      let octets = Array(line)
      guard follower?.follow(octets.span) == true else { return nil }
    }
    guard let follower, row.firstSeq == start + 1, row.lastSeq == follower.sequence else {
      return nil
    }
    chain = follower
    self.init(number: row.batch, first: row.firstSeq, lines: row.lines, chain: follower)
    mac = row.mac ?? []
  }

  /// The batch with this vault's MAC.
  func signed(by unsealed: UnsealedLedger) -> AuditBatch {
    var signed = self
    signed.mac = unsealed.keys.audit.code(seal.macInput(unsealed.vaultID).span)
    return signed
  }

  /// The batch as it stands in the outbox.
  var row: OutboxRow {
    OutboxRow(batch: number, firstSeq: first, lastSeq: last, lines: lines, mac: mac)
  }

  /// The line that closes the batch in the segment.
  var seal: AuditBatchSeal {
    AuditBatchSeal(number: number, first: first, last: last, head: head, mac: mac)
  }

  /// The batch as it stands in the audit segment: its lines, then the line that closes them.
  var exported: [UInt8] { lines + seal.line }
}
