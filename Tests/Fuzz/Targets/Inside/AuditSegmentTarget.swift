#if DEBUG || LIBFUZZER
  import WireCoding

  @testable import VaultCore

  extension FuzzTarget {
    /// Audit segments as a start finds them: the log goes on where the database's own history leads,
    /// and nowhere else; what was owed is there afterwards, and is believed at the next start.
    ///
    /// Records: the first one's kind is how many batches the database still has itself, and its octet
    /// whose row of the outbox is made of the same text; the others put the files together, each with
    /// the highest bit in a new one.
    static let auditSegment = FuzzTarget("audit-segment", isList: true) { input in
      let records = Records(input).list
      let log = AuditLog.shared
      let debt = log.debt(Int(records.first?.kind ?? 0) % (log.batches.count + 1))
      var texts: [[UInt8]] = [[]]
      for record in records.dropFirst() {
        if record.kind & 0x80 != 0, texts.count < 4 { texts.append([]) }
        log.write(record, to: &texts[texts.count - 1])
      }
      let source = MemorySegments(texts)
      guard let survey = try? AuditSurvey(source, debt, log.unsealed) else {
        return require(false, "files that can be read are surveyed")
      }
      let newest = Int64(log.batches.count)
      require((0...newest).contains(survey.last), "this vault's batches alone are named")
      require(log.positions.contains(survey.fresh), "a new segment goes on from a batch")
      require(survey.fresh.epoch >= debt.first - 1, "nothing that must be durable is written again")
      guard let segment = goOn(survey, source, log) else {
        return require(false, "the log goes on")
      }
      let before = segment.appended
      require(log.positions.contains(before.position), "behind a batch of the database's history")
      require(before.position.epoch >= debt.first - 1, "without a gap")
      for batch in log.batches where batch.number > before.position.epoch {
        require((try? segment.append(batch)) != nil, "what is owed can be written")
      }
      if !segment.appended.text.isCovered {
        let time = Timestamp(clamping: 1_772_366_400)
        require((try? segment.checkpoint(log.unsealed, at: time)) != nil, "it can be signed")
      }
      log.checkRow(of: records.first?.octets.first ?? 0, texts[0])
      // The line of the opening itself, which follows, is always something new.
      guard segment.appended.end > before.end else { return }
      let settled = log.debt(0)
      guard let again = try? AuditSurvey(source, settled, log.unsealed) else {
        return require(false, "files that were written are surveyed")
      }
      // What stands behind the segment and is none of the log stays there; nothing else is wrong.
      let isStrange = again.findings.contains { finding in
        if case .strangeText(let number, _) = finding, number > segment.number { return false }
        return true
      }
      require(!isStrange, "what was written is believed")
      require(again.segment?.number == segment.number, "and gone on with")
    }

    /// Does with a survey what the daemon does.
    private static func goOn(
      _ survey: AuditSurvey, _ source: MemorySegments, _ log: AuditLog
    ) -> AuditSegment? {
      if let found = survey.segment { return found }
      var number = survey.free
      while (try? source.open(number)) != nil { number += 1 }
      guard let file = try? source.make(number),
        let text = try? AuditSegments.text(
          beforeNew: number, line: survey.fresh.chain.sequence + 1, source, log.unsealed)
      else { return nil }
      return AuditSegment(
        number: number, file: file, at: AuditSegment.Place(behind: survey.fresh, text))
    }
  }
#endif
