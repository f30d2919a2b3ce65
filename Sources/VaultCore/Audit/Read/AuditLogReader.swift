import VaultStore

/// Reads the log of an unsealed vault: the segments and, behind them, the outbox of the database.
///
/// Only what this vault wrote is given out, batch by batch as the MACs prove. Slow, and so not for
/// an I/O thread.
package struct AuditLogReader {
  private let source: any AuditSource
  private let ledger: Ledger
  private let unsealed: UnsealedLedger
  /// The last line that counts: those behind it came later.
  package let last: Int64
  /// Lines that should be there and are not, or not as this vault wrote them.
  package private(set) var missing: [ClosedRange<Int64>] = []

  /// How often what was just exported, removed or rotated is looked for anew.
  private static let attempts = 4

  /// Starts to read.
  ///
  /// - Parameters:
  ///   - source: the segments.
  ///   - ledger: the ledger, for its keys and its outbox.
  ///   - last: the last line that is durable.
  /// - Throws: `sealed`.
  init(_ source: any AuditSource, _ ledger: Ledger, through last: Int64) throws(VaultError) {
    guard let unsealed = ledger.unsealed else { throw .sealed }
    self.source = source
    self.ledger = ledger
    self.unsealed = unsealed
    self.last = last
  }

  /// Finds a line.
  ///
  /// - Parameter sequence: its number.
  /// - Returns: the line without its line feed; `nil` when it is none that this vault wrote, or was
  ///   taken away.
  /// - Throws: ``VaultError``.
  package mutating func line(_ sequence: Int64) throws(VaultError) -> [UInt8]? {
    var found: [UInt8]?
    try lines(in: sequence...sequence) { _, text in
      found = text
      return false
    }
    return found
  }

  /// The first line that is still there.
  ///
  /// - Returns: its number; one more than ``last`` when there is none.
  /// - Throws: ``VaultError`` when the log cannot be read.
  package func first() throws(VaultError) -> Int64 {
    do throws(AuditFileError) {
      for number in try source.numbers() {
        if let line = try LogSegmentReader.firstLine(of: try source.open(number)) { return line }
      }
    } catch {
      throw VaultError(reading: error)
    }
    return try rows(from: 1, 1).first?.firstSeq ?? last + 1
  }

  /// Gives the lines of a range in their order.
  ///
  /// - Parameters:
  ///   - range: the numbers; those behind ``last`` are left out.
  ///   - body: told each line's number and text, without its line feed; `false` ends it.
  /// - Throws: ``VaultError`` when the log cannot be read.
  package mutating func lines(
    in range: ClosedRange<Int64>, _ body: (Int64, [UInt8]) -> Bool
  ) throws(VaultError) {
    let end = min(range.upperBound, last)
    var next = max(range.lowerBound, 1)
    var isStopped = false
    for attempt in 1...Self.attempts where next <= end && !isStopped {
      let isFinal = attempt == Self.attempts
      func take(_ batch: AuditBatch) -> Bool {
        guard batch.last >= next else { return true }
        if batch.first > next {
          // What is not here may be in the outbox, or have come here from there just now.
          guard isFinal else { return false }
          note(next...min(batch.first - 1, end))
        }
        for (index, text) in batch.texts.enumerated() {
          let sequence = batch.first + Int64(index)
          guard sequence >= next, sequence <= end else { continue }
          isStopped = !body(sequence, text)
          guard !isStopped else { return false }
        }
        next = batch.last + 1
        return next <= end
      }
      do throws(AuditFileError) {
        try takeSegments(from: next, take)
      } catch {
        // A segment may have been taken away between two looks.
        guard !isFinal else { throw VaultError(reading: error) }
        continue
      }
      if next <= end, !isStopped { try takeOutbox(take) }
    }
    if next <= end, !isStopped { note(next...end) }
  }

  private func takeSegments(
    from sequence: Int64, _ take: (AuditBatch) -> Bool
  ) throws(AuditFileError) {
    let numbers = try source.numbers()
    var start = 0
    // A segment is named by its first line or, by earlier releases, counted from one.
    for index in numbers.indices.reversed() where numbers[index] <= sequence {
      let first = try LogSegmentReader.firstLine(of: try source.open(numbers[index]))
      guard let first, first <= sequence else { continue }
      start = index
      break
    }
    for number in numbers[min(start, numbers.count)...] {
      var segment = try LogSegmentReader(try source.open(number), from: sequence, unsealed)
      while let batch = try segment.next() {
        guard take(batch) else { return }
      }
    }
  }

  private func takeOutbox(_ take: (AuditBatch) -> Bool) throws(VaultError) {
    var next: Int64 = 1
    while true {
      let rows = try rows(from: next, 64)
      for row in rows {
        if let batch = AuditBatch.proven(row, unsealed), !take(batch) { return }
      }
      guard let end = rows.last, rows.count == 64 else { return }
      next = end.batch + 1
    }
  }

  private func rows(from batch: Int64, _ limit: Int) throws(VaultError) -> [OutboxRow] {
    do throws(LedgerError) {
      return try LedgerReader(ledger).read { snapshot throws(LedgerError) in
        try stored { () throws(StoreError) in
          try snapshot.reader.connection.outboxRows(from: batch, limit: limit)
        }
      }
    } catch {
      throw VaultError(error)
    }
  }

  private mutating func note(_ range: ClosedRange<Int64>) {
    missing.append(range)
  }
}

extension AuditBatch {
  /// The lines, without their line feeds.
  fileprivate var texts: [[UInt8]] {
    lines.dropLast().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { Array($0) }
  }
}
