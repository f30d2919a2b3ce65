extension AuditSegments {
  /// How far into a segment its first lines are looked at.
  private static let beginning: Int64 = 16 << 20

  /// What is wrong between the segments up to one: a closed segment ends with the checkpoint of the
  /// line before the next one's first.
  ///
  /// Neither what stands in them is read, nor what was recorded already: a segment that was begun
  /// after damage tells of that in its first lines. An empty one has no lines to lack.
  ///
  /// - Parameter last: the segment that the log is followed in.
  /// - Returns: what is wrong, from the beginning.
  /// - Throws: ``AuditFileError``.
  func breaks(through last: Int) throws(AuditFileError) -> [AuditFinding] {
    var findings: [AuditFinding] = []
    var before: (number: Int64, file: any AuditFile)?
    for number in numbers[...last] {
      let file = try source.open(number)
      guard try file.size() > 0 else { continue }
      let closing: AuditCheckpoint? =
        if let before { try Self.closing(of: before.file, unsealed) } else { nil }
      let found = gap(behind: before?.number, closing, to: number)
      if let found, try !Self.isTold(file) { findings.append(found) }
      before = (number, file)
    }
    return findings
  }

  /// What is wrong between a segment, which ends with a checkpoint, and the next one; or before the
  /// first one.
  private func gap(
    behind before: Int64?, _ closing: AuditCheckpoint?, to next: Int64
  ) -> AuditFinding? {
    let covered: Int64
    if let before {
      guard let closing, closing.sequence < next else { return .changed(segment: before) }
      covered = closing.sequence
    } else {
      covered = pruned.entries.last { $0.record.sequence < next }?.record.sequence ?? 0
    }
    return covered + 1 < next ? .missing(from: covered + 1, through: next - 1) : nil
  }

  /// The checkpoint that a segment ends with.
  private static func closing(
    of file: any AuditFile, _ unsealed: UnsealedLedger
  ) throws(AuditFileError) -> AuditCheckpoint? {
    let size = try file.size()
    let octets = try file.read(
      at: max(0, size - AuditCheckpoint.longest), count: Int(AuditCheckpoint.longest))
    guard octets.last == UInt8(ascii: "\n") else { return nil }
    let start = octets.dropLast().lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    guard let found = AuditCheckpoint(line: Array(octets[start...].dropLast())),
      found.isOwn(unsealed)
    else { return nil }
    return found
  }

  /// Whether the first lines of a segment, up to its first checkpoint, tell of damage.
  private static func isTold(_ file: any AuditFile) throws(AuditFileError) -> Bool {
    var lines = try AuditLines(file, from: 0)
    var rest = beginning
    while rest > 0, let line = try lines.next(), !line.starts(with: AuditCheckpoint.prefix) {
      if AuditEntry.tellsOfDamage(line) { return true }
      rest -= Int64(line.count)
    }
    return false
  }
}
