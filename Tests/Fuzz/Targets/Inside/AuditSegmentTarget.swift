#if DEBUG || LIBFUZZER
  @testable import VaultCore

  extension FuzzTarget {
    /// Audit segments as a start finds them: what is believed is a batch of this vault, whole, and
    /// the last one; the next batch goes behind it.
    ///
    /// Records: the first one's kind is how many batches the database still has itself, and its octet
    /// whose row of the outbox is made of the same text; the others put the file together.
    static let auditSegment = FuzzTarget("audit-segment", isList: true) { input in
      let records = Records(input).list
      let log = AuditLog.shared
      let debt = log.debt(Int(records.first?.kind ?? 0) % (log.batches.count + 1))
      var text: [UInt8] = []
      for record in records.dropFirst() { log.write(record, to: &text) }
      let file = MemoryFile(text)
      let segment = AuditSegment(number: 1, file: file)
      guard let (contents, last) = try? segment.survey(debt, log.unsealed) else {
        return require(false, "a file that can be read is surveyed")
      }
      require((0...Int64(log.batches.count)).contains(last), "this vault's batches alone are named")
      switch contents {
      case .sealed(let seal):
        guard let batch = log.genuine.first(where: { $0.seal == seal }) else {
          return require(false, "a batch of this vault")
        }
        require(batch.number < debt.first, "one that must be durable")
        let whole = text.prefix(Int(segment.appended.end))
        require(whole.suffix(batch.exported.count).elementsEqual(batch.exported), "it is whole")
        require(segment.tail.elementsEqual(text[whole.endIndex...]), "the rest is the tail")
        require(!log.holds(segment.tail, batchBefore: debt.first), "it is the last")
        _ = debt.mayBecome(segment.tail)
        let next = log.genuine[log.genuine.count - 1]
        require((try? segment.append(next)) != nil, "the log goes on")
        require(file.text.elementsEqual(whole + next.exported), "behind the last batch")
      case .unfinished:
        require(!log.holds(text, batchBefore: debt.first), "nothing that must be durable")
      case .foreign:
        require(!text.isEmpty, "something is there")
      }
      log.checkRow(of: records.first?.octets.first ?? 0, text)
    }
  }
#endif
