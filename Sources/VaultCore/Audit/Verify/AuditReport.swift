package import WireCoding

/// What a log holds, as far as it was followed.
package struct AuditReport: Hashable, Sendable {
  /// A line and its time.
  package struct Line: Hashable, Sendable {
    /// Its number.
    package let sequence: Int64
    /// When it was written.
    package let time: Timestamp
  }

  /// How many lines there are that tell of calls.
  package internal(set) var lines: Int64 = 0
  /// How many batches.
  package internal(set) var batches: Int64 = 0
  /// How many checkpoints.
  package internal(set) var checkpoints: Int64 = 0
  /// The first line, `nil` when there is none.
  package private(set) var first: Line?
  /// The last line.
  package private(set) var last: Line?
  /// The last line that was taken away before, by prune records; `nil` when none was.
  package internal(set) var pruned: Int64?
  /// The last line that a checkpoint covers, `nil` when there is none.
  package internal(set) var checkpoint: Int64?

  /// How many lines stand behind the last checkpoint: whoever can write the files can change them
  /// and make the chain anew.
  package var uncovered: Int64 {
    guard let first, let last else { return 0 }
    return last.sequence - (checkpoint ?? first.sequence - 1)
  }

  /// Counts a line.
  mutating func take(_ line: LogItem.Line) {
    let taken = Line(sequence: line.sequence, time: line.time)
    lines += 1
    first = first ?? taken
    last = taken
  }
}
