#if DEBUG || LIBFUZZER
  import WireCoding

  @testable import VaultCore

  extension FuzzTarget {
    /// A log put together from what a vault wrote, from another history of it, from another vault,
    /// and from anything: the verifier names a line that is there, and what it takes for whole up to
    /// a checkpoint is what the vault wrote.
    ///
    /// Records: the first one's kind says whether the key and a checkpoint are given; each other one
    /// appends to the text or changes its end.
    static let auditVerifier = FuzzTarget(
      "audit-verifier", words: [#"{"seq":1,"time":""#, #"","prev":""#, "pruned"], isList: true
    ) { input in
      let records = Records(input).list
      let genuine = FuzzedLog.genuine
      var text = FuzzedText()
      for record in records.dropFirst() { text.take(record) }
      let kind = records.first?.kind ?? 0
      let key = kind & 1 == 0 ? genuine.key : nil
      let checkpoint = kind & 2 == 0 ? nil : genuine.checkpoints.last
      guard let verdict = try? AuditVerifier(text, key: key, checkpoint: checkpoint).run() else {
        return require(false, "a log that can be read is judged")
      }
      if let place = verdict.fault?.place {
        let lines = text.lines(in: place.file)
        require(
          (1...Int64(lines + 1)).contains(place.line), "the line is there, or is missing there")
      }
      guard key != nil, let covered = verdict.report.checkpoint else { return }
      let whole = text.whole
      require(
        FuzzedLog.texts(upTo: covered).contains { whole.starts(with: $0) },
        "what a checkpoint covers is what the vault wrote")
    }

    /// A line about the log, changed here and there: read only as it is written, and signed only as
    /// the vault has signed it.
    ///
    /// Records: the first one's kind says which line of the vaults it is, or its octets are the line;
    /// each other one changes it.
    static let auditStatement = FuzzTarget(
      "audit-statement", words: [#""since":"#, #""signature":""#], isList: true
    ) { input in
      let records = Records(input).list
      var line = FuzzedLog.line(records.first?.kind ?? .max) ?? records.first?.octets ?? []
      for record in records.dropFirst() { change(&line, record) }
      if let checkpoint = AuditCheckpoint(line: line) {
        require(checkpoint.line.dropLast().elementsEqual(line), "there is one form")
        let isOwn = FuzzedLog.all.contains { $0.checkpoints.contains(checkpoint) }
        require(checkpoint.isSigned == isOwn, "nobody else signs")
      }
      if let record = AuditPruneRecord(line: line) {
        require(record.line.dropLast().elementsEqual(line), "there is one form")
        require(record.isSigned == (record == FuzzedLog.record), "nobody else signs")
      }
      let item = LogItem(line, isWhole: true, at: .start, next: .start)
      if case .line(let found) = item.kind {
        let start = #"{"seq":\#(found.sequence),"time":"\#(found.time)""#
        let end = #","prev":"\#(Hex.encode(found.previous.span))"}"#
        require(line.starts(with: start.utf8), "a line begins with its number and time")
        require(line.suffix(end.utf8.count).elementsEqual(end.utf8), "and ends with a digest")
      }
    }

    /// Changes a line in one place.
    private static func change(_ line: inout [UInt8], _ record: Records.Record) {
      let first = Int(record.octets.first ?? 0) << 8 | Int(record.octets.dropFirst().first ?? 0)
      let place = line.isEmpty ? 0 : first % line.count
      let rest = record.octets.dropFirst(2)
      switch record.kind & 3 {
      case 0 where !line.isEmpty: line[place] ^= 1 << (rest.first ?? 0 & 7)
      case 1: line.insert(contentsOf: rest, at: place)
      case 2: line.removeSubrange(place..<min(place + rest.count, line.count))
      default: line.replaceSubrange(place..<min(place + rest.count, line.count), with: rest)
      }
    }
  }

  /// A text that grows by records.
  private struct FuzzedText: LogText {
    private var texts: [[UInt8]] = [[]]

    var files: [LogTextFile] {
      texts.enumerated().map { LogTextFile(name: "\($0.offset)", size: Int64($0.element.count)) }
    }

    var whole: [UInt8] { texts.flatMap { $0 } }

    func lines(in file: String) -> Int {
      Int(file).map { texts[$0].split(separator: 10, omittingEmptySubsequences: false).count } ?? 0
    }

    func read(
      _ file: Int, at offset: Int64, count: Int
    ) throws(LogTextError) -> [UInt8] {
      Array(texts[file].dropFirst(Int(offset)).prefix(count))
    }

    mutating func take(_ record: Records.Record) {
      let last = texts.count - 1
      let first = Int(record.octets.first ?? 0)
      let second = Int(record.octets.dropFirst().first ?? 0)
      switch record.kind & 7 {
      case 0: texts[last] += FuzzedLog.genuine.parts(first, through: second)
      case 1: texts[last] += record.octets
      case 2: texts[last] += FuzzedLog.other.parts(first, through: second)
      case 3: texts[last] += FuzzedLog.foreign.parts(first, through: second)
      case 4: texts[last].removeLast(min(first, texts[last].count))
      case 5 where !texts[last].isEmpty:
        let place = texts[last].count - 1 - (first << 8 | second) % texts[last].count
        texts[last][place] ^= 1 << (record.octets.dropFirst(2).first ?? 0 & 7)
      case 6 where texts.count < 8: texts.append([])
      default: texts[last].append(10)
      }
    }
  }
#endif
