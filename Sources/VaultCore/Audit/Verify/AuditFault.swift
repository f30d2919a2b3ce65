/// What is wrong with a log, and where: the first fault that was found.
package struct AuditFault: Hashable, Sendable {
  /// The kinds of faults.
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    /// A line stands where it belongs and was changed.
    case edited
    /// Lines are missing, and the log goes on behind them.
    case removed
    /// Lines stand there that do not belong; behind them the log goes on.
    case inserted
    /// Lines stand in another order than they were written in.
    case reordered
    /// A piece of another log, or of another history of this one, stands there.
    case spliced
    /// The end is missing.
    case tailLost = "tail_lost"
  }

  /// Where a line stands, in words that a person can follow.
  package struct Place: Hashable, Sendable {
    /// The file's name.
    package let file: String
    /// The line in it, from 1.
    package let line: Int64
  }

  /// The kind.
  package let kind: Kind
  /// The line at fault: the first one that is not what it should be.
  ///
  /// For missing lines the one that stands in their place, or would.
  package let place: Place
  /// The number of the log's line that is concerned: the one that should stand there, or the first
  /// that is missing; for a closing line, a checkpoint, or something inserted, the line before.
  package let sequence: Int64
  /// The last of several missing lines.
  package let lastSequence: Int64?
  /// The first line that may be at fault, when all that is known is that one of several is: the chain
  /// holds, but the checkpoint at ``place`` was not made of it.
  package let since: Place?
  /// What is wrong, in words.
  package let words: String

  /// Makes a fault.
  init(
    _ kind: Kind, _ place: Place, _ sequence: Int64, through lastSequence: Int64? = nil,
    since: Place? = nil, _ words: String
  ) {
    self.kind = kind
    self.place = place
    self.sequence = sequence
    self.lastSequence = lastSequence
    self.since = since
    self.words = words
  }
}
