import VaultCrypto

/// Checks a log with nothing but its text and, if it is known, the public half of the checkpoint key.
///
/// The text is read once, line by line, with memory for one part of it. At the first line that does
/// not fit the ones before, ``LogDiagnosis`` reads what it needs of it again to tell what happened;
/// `latchkey-audit(5)` has the rules. The MACs of batches need the vault's own key and are covered by
/// the checkpoints.
package struct AuditVerifier {
  private let text: any LogText
  private let key: [UInt8]?
  private let checkpoint: AuditCheckpoint?

  /// Prepares a check.
  ///
  /// - Parameters:
  ///   - text: the log.
  ///   - key: the public key that checkpoints must be signed with, 32 octets; without one the first
  ///     checkpoint's is taken, and whoever can write the files could have made all of them.
  ///   - checkpoint: one that was kept elsewhere, whose signature the caller has checked: the log must
  ///     reach it.
  package init(_ text: any LogText, key: [UInt8]? = nil, checkpoint: AuditCheckpoint? = nil) {
    self.text = text
    self.key = key
    self.checkpoint = checkpoint
  }

  /// Checks the log.
  ///
  /// - Parameter progress: told now and then how many octets were read, of how many.
  /// - Returns: what the log holds, and the first fault.
  /// - Throws: ``LogTextError`` when a file cannot be read.
  package func run(
    progress: (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
  ) throws(LogTextError) -> AuditVerdict {
    var follower = LogFollower(
      key: key ?? checkpoint?.key, vaultID: try knownVault())
    var anchor = LogAnchor(follower: follower, place: .start)
    var reader = LogTextReader(text)
    let total = text.files.reduce(0) { Self.sum($0, $1.size) }
    var (before, file, end): (Int64, Int, LogPlace) = (0, 0, .start)
    var names = LogNames(text.files)
    while let item = try reader.next() {
      guard follower.fits(item) else {
        let diagnosis = LogDiagnosis(text: text, before: follower, item: item, anchor: anchor)
        return verdict(follower, try diagnosis.fault())
      }
      if let number = names.differs(at: item) {
        return verdict(follower, misnamed(item, number))
      }
      follower.advance(item)
      end = item.next
      if case .checkpoint = item.kind {
        anchor = LogAnchor(follower: follower, place: item.next)
      }
      if let fault = try contradiction(follower, anchor, item.next) {
        return verdict(follower, fault)
      }
      while file < item.place.file {
        before = Self.sum(before, text.files[file].size)
        file += 1
      }
      if item.place.line % 1024 == 0 { progress(Self.sum(before, item.next.offset), total) }
    }
    progress(total, total)
    return verdict(follower, missing(behind: follower, at: end))
  }

  /// Adds sizes: files with holes can be of any.
  private static func sum(_ one: Int64, _ other: Int64) -> Int64 {
    let (sum, overflows) = one.addingReportingOverflow(other)
    return overflows ? .max : sum
  }

  /// The vault's identifier as the first statement with the known key tells it, which the first line
  /// begins with.
  private func knownVault() throws(LogTextError) -> [UInt8]? {
    if let checkpoint { return checkpoint.vaultID }
    guard let key else { return nil }
    var reader = LogTextReader(text)
    while let item = try reader.next() {
      switch item.kind {
      case .checkpoint(let found) where found.key == key && found.isSigned: return found.vaultID
      case .pruned(let found) where found.key == key && found.isSigned: return found.vaultID
      default: continue
      }
    }
    return nil
  }

  private func verdict(_ follower: LogFollower, _ fault: AuditFault?) -> AuditVerdict {
    AuditVerdict(
      report: follower.report, fault: fault, key: follower.key, vaultID: follower.vaultID)
  }

  /// A segment whose name is another one than its first line gives it.
  private func misnamed(_ item: LogItem, _ number: Int64) -> AuditFault {
    AuditFault(
      .edited, text.name(item.place), number,
      "the segment was given another name: its first line is line \(number)")
  }

  /// Whether the last line is another one than something outside the lines vouches for.
  private func contradiction(
    _ follower: LogFollower, _ anchor: LogAnchor, _ next: LogPlace
  ) throws(LogTextError) -> AuditFault? {
    guard let place = follower.lastLine else { return nil }
    let isOther = checkpoint.map {
      $0.sequence == follower.sequence && $0.head != follower.head
    }
    guard isOther ?? false || follower.contradictsRecord else { return nil }
    if let fault = try insertion(follower, anchor, next) { return fault }
    return AuditFault(
      .edited, text.name(place), follower.sequence, since: text.name(anchor.place),
      "line \(follower.sequence) is another one than was vouched for: lines were changed and the "
        + "chain made anew, or the log was rolled back and went on otherwise")
  }

  /// Whether the last line is one that was put in before the one that was vouched for.
  private func insertion(
    _ start: LogFollower, _ anchor: LogAnchor, _ next: LogPlace
  ) throws(LogTextError) -> AuditFault? {
    var follower = start
    var reader = LogTextReader(text, from: next)
    while let item = try reader.next() {
      guard follower.fits(item) else {
        let diagnosis = LogDiagnosis(text: text, before: follower, item: item, anchor: anchor)
        return try diagnosis.wasInsertedBefore()
      }
      if case .checkpoint = item.kind { return nil }
      follower.advance(item)
    }
    return nil
  }

  /// What is missing at the end of the text.
  private func missing(behind follower: LogFollower, at end: LogPlace) -> AuditFault? {
    let next = follower.sequence + 1
    guard follower.isClosed else {
      return AuditFault(
        .tailLost, text.name(end), next,
        "the log ends within a batch: its end was lost, or the files were copied while the vault "
          + "was writing")
    }
    guard let checkpoint, checkpoint.sequence > follower.sequence else { return nil }
    return AuditFault(
      .tailLost, text.name(end), next, through: checkpoint.sequence,
      "the log ends before line \(checkpoint.sequence), which the checkpoint given covers")
  }
}

/// A place that everything before is settled for, and what may come next there.
struct LogAnchor {
  var follower: LogFollower
  var place: LogPlace
}

/// The names of the segments, against the lines that they begin with.
private struct LogNames {
  /// Of each file that is a segment: the number in its name, and which segment it is, from one.
  private var segments: [(number: Int64, count: Int64)?] = []
  private var checked = -1

  init(_ files: [LogTextFile]) {
    var count: Int64 = 0
    for file in files {
      guard let number = LogFileName.number(in: file.name), number > 0 else {
        segments.append(nil)
        continue
      }
      count += 1
      segments.append((number, count))
    }
  }

  /// The number of a line that its segment begins with and is not named by; `nil` when all is well.
  mutating func differs(at item: LogItem) -> Int64? {
    guard case .line(let line) = item.kind, item.place.file > checked else { return nil }
    checked = item.place.file
    // An earlier release has counted the segments from one.
    guard let segment = segments[checked], segment.number != line.sequence,
      segment.number != segment.count
    else { return nil }
    return line.sequence
  }
}

extension LogText {
  /// A place by its file's name.
  func name(_ place: LogPlace) -> AuditFault.Place {
    let name = place.file < files.count ? files[place.file].name : ""
    return AuditFault.Place(file: name, line: place.line)
  }
}
