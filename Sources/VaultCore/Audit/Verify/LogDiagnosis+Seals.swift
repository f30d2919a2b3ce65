extension LogDiagnosis {
  /// A closing line does not close the lines before it.
  func ofSeal(_ seal: AuditBatchSeal) throws(LogTextError) -> AuditFault {
    let last = before.sequence
    guard seal.last == last else {
      if seal.head == before.head { return here(.edited, last, "the closing line was changed") }
      if seal.last > last {
        return here(
          .removed, next, through: seal.last,
          next == seal.last
            ? "line \(next) is missing" : "lines \(next) to \(seal.last) are missing")
      }
      // It closes earlier lines than stand before it.
      let first = try place(behind: seal.last)
      return AuditFault(
        .inserted, text.name(first), seal.last,
        "the batch ends with line \(seal.last), and more stands before its closing line")
    }
    guard seal.head == before.head else { return try ofOtherHead(seal) }
    let isNext = before.batch.map { $0 + 1 == seal.number } ?? true
    guard !isNext, let opened = before.opened, seal.first > opened else {
      return here(.edited, last, "the closing line was changed")
    }
    let isMoved = try standsFurtherOn(first: opened, last: seal.first - 1)
    return AuditFault(
      isMoved ? .reordered : .removed, text.name(try place(behind: seal.first - 1)), seal.first - 1,
      "the closing line of lines \(opened) to \(seal.first - 1) "
        + (isMoved ? "stands further on" : "is missing"))
  }

  /// Whether a closing line of these lines comes later.
  private func standsFurtherOn(first: Int64, last: Int64) throws(LogTextError) -> Bool {
    var reader = LogTextReader(text, from: item.next)
    while let later = try reader.next() {
      if case .seal(let seal) = later.kind, seal.first == first, seal.last == last { return true }
    }
    return false
  }

  /// A closing line names another digest than that of the line before it: one of the two was changed,
  /// and what comes next knows which.
  private func ofOtherHead(_ seal: AuditBatchSeal) throws(LogTextError) -> AuditFault {
    if isSimilar(seal.head, before.head) {
      return here(.edited, before.sequence, "the closing line was changed")
    }
    let witness: [UInt8]? =
      switch try peek(item.next)?.kind {
      case .line(let line) where line.sequence == next: line.previous
      case .checkpoint(let checkpoint) where checkpoint.sequence == before.sequence: checkpoint.head
      default: nil
      }
    guard witness == nil || witness == seal.head, let line = before.lastLine else {
      return here(
        .spliced, before.sequence, "the closing line is of another log, or of another history")
    }
    return AuditFault(.edited, text.name(line), before.sequence, "the line was changed")
  }
}
