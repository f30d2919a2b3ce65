import AccessPolicy
import Synchronization

/// Keeps calls that were turned away from filling the disk: of a caller's in one second the first has
/// a line of its own, and all others are counted into one line.
///
/// While the vault is sealed, no call has a line of its own, and one line a minute tells of a caller's.
/// What is not written yet is in memory: a bounded number of counts.
final class DenialLog: Sendable {
  /// A line to be written, and the calls that it stands for.
  struct Line: Sendable {
    var entry: AuditEntry
    var counts: DenialCounts
  }

  /// The most callers told apart in one period; the calls of all others are counted together.
  static let mostCallers = 64
  /// Over how many seconds a caller's calls are counted.
  static let period: Int64 = 1
  /// The same while the vault is sealed.
  static let sealedPeriod: Int64 = 60

  /// Whose calls are counted together.
  private enum Source: Hashable {
    case caller(uid: UInt32, unit: String?)
    case others
  }

  /// The calls of one source since a time.
  private struct Tally {
    /// Boot-time seconds.
    let start: Int64
    var subject: AuditEntry.Subject
    var counts = DenialCounts()

    func isOver(at now: Int64, isSealed: Bool) -> Bool {
      now - start >= (isSealed ? DenialLog.sealedPeriod : DenialLog.period)
    }

    mutating func add(_ more: DenialCounts, by other: AuditEntry.Subject) {
      subject = counts.total == 0 ? other : subject.common(with: other)
      counts.add(more)
    }

    /// The line that tells of what was counted.
    var line: Line? {
      guard counts.total > 0 else { return nil }
      var entry = AuditEntry("calls.refused", by: subject)
      entry.count = counts.total
      entry.denials = counts
      return Line(entry: entry, counts: counts)
    }
  }

  private let tallies = Mutex<[Source: Tally]>([:])

  /// Takes a call that was turned away.
  ///
  /// - Parameters:
  ///   - entry: the line it would have.
  ///   - kind: what was wrong with it.
  ///   - now: boot-time seconds.
  ///   - isSealed: whether the vault is sealed.
  /// - Returns: the lines to be written now.
  func take(
    _ entry: AuditEntry, _ kind: DenialKind, at now: Int64, isSealed: Bool
  ) -> [Line] {
    let own = Line(entry: entry, counts: DenialCounts(kind))
    return tallies.withLock { tallies in
      let source = Self.source(of: entry.subject, in: tallies)
      var lines: [Line] = []
      if let known = tallies[source], known.isOver(at: now, isSealed: isSealed) {
        tallies[source] = nil
        lines = [known.line].compactMap(\.self)
      }
      if tallies[source] == nil, source != .others, !isSealed {
        tallies[source] = Tally(start: now, subject: entry.subject)
        return lines + [own]
      }
      Self.count(own, for: source, at: now, in: &tallies)
      return lines
    }
  }

  /// Takes back a line that could not be written.
  func putBack(_ line: Line, at now: Int64) {
    tallies.withLock { tallies in
      let source = Self.source(of: line.entry.subject, in: tallies)
      Self.count(line, for: source, at: now, in: &tallies)
    }
  }

  /// The lines of the counts whose time is over.
  func due(at now: Int64, isSealed: Bool) -> [Line] {
    take { $0.isOver(at: now, isSealed: isSealed) }
  }

  /// The lines of all counts.
  func all() -> [Line] {
    take { _ in true }
  }

  private func take(_ isOver: (Tally) -> Bool) -> [Line] {
    tallies.withLock { tallies in
      let over = tallies.filter { isOver($0.value) }
      for source in over.keys { tallies[source] = nil }
      return over.values.sorted { $0.start < $1.start }.compactMap(\.line)
    }
  }

  private static func source(
    of subject: AuditEntry.Subject, in tallies: [Source: Tally]
  ) -> Source {
    let source = Source.caller(uid: subject.caller.uid, unit: subject.caller.unit)
    return tallies[source] != nil || tallies.count < mostCallers ? source : .others
  }

  private static func count(
    _ line: Line, for source: Source, at now: Int64, in tallies: inout [Source: Tally]
  ) {
    let subject = source == .others ? .unknown : line.entry.subject
    tallies[source, default: Tally(start: now, subject: subject)].add(line.counts, by: subject)
  }
}
