import Testing
import VaultCrypto
import WireCoding

@testable import VaultCore

/// Lines that somebody without the keys has made for their place, with the number and the digest that
/// are due there, at each place of a log.
@Suite(.serialized) struct AuditVerifierInsertionTests {
  typealias Place = AuditFault.Place
  typealias Part = WrittenLog.Part
  let log: WrittenLog
  /// The last checkpoint: what stands behind it, nobody without the keys can tell from what is made up.
  let vouched: Int

  init() throws {
    log = try WrittenLog.sample()
    vouched = log.parts.lastIndex { $0.kind == .checkpoint } ?? 0
  }

  /// A log with parts put in before part `index`, and where the first of them stands.
  private func inserting(_ parts: [Part], at index: Int) -> (text: MemoryText, place: Place) {
    var all = log.parts
    all.insert(contentsOf: parts, at: index)
    return (MemoryText(log.files, all), WrittenLog.place(index, in: all, log.files))
  }

  private func check(
    _ name: String, _ made: (Int, Part) throws -> (parts: [Part], index: Int)?
  ) throws {
    var cases: [FaultCase] = []
    for (index, part) in log.parts.enumerated() {
      guard let (parts, target) = try made(index, part) else { continue }
      let (text, place) = inserting(parts, at: target)
      for checkpoint in [nil, log.checkpoint] {
        cases.append(
          FaultCase(
            "\(name) \(index)", text, key: log.key, checkpoint: checkpoint,
            .fault([.inserted], [place])))
      }
      cases.append(
        FaultCase("\(name) \(index), no key", text, key: nil, .fault([.inserted], [place])))
    }
    #expect(cases.count > 15)
    try FaultCase.check(cases)
  }

  /// A line with another process, and otherwise what it was.
  private func forged(_ part: Part, pid: Int = 9) -> Part {
    let text = String(decoding: part.text, as: UTF8.self)
    return Part(
      kind: part.kind, text: Array(text.replacing("\"pid\":1,", with: "\"pid\":\(pid),").utf8),
      file: part.file)
  }

  /// A line that goes on from another one.
  private func forged(behind part: Part) throws -> Part {
    let line = try #require(part.line)
    let text = String(decoding: forged(part).text, as: UTF8.self)
    let rest = text.drop { $0 != "," }.dropLast(66)
    let digest = Hex.encode(BLAKE2b.hash(part.text.span).span)
    return Part(
      kind: .line, text: Array("{\"seq\":\(line.sequence + 1)\(rest)\(digest)\"}".utf8),
      file: part.file)
  }

  /// A closing line of one line, with a MAC that is none.
  private func forged(closing part: Part, batch: Int64) throws -> Part {
    let line = try #require(part.line)
    let seal = AuditBatchSeal(
      number: batch, first: line.sequence, last: line.sequence,
      head: BLAKE2b.hash(part.text.span), mac: [UInt8](repeating: 7, count: 32))
    return Part(kind: .seal, text: seal.line.dropLast(), file: part.file)
  }

  @Test func `before the line whose place it takes`() throws {
    try check("before") { $1.kind == .line ? ([forged($1)], $0) : nil }
  }

  @Test func `behind the line whose place it takes`() throws {
    try check("behind") { $1.kind == .line ? ([forged($1)], $0 + 1) : nil }
  }

  @Test func `behind the line that it goes on from`() throws {
    try check("going on") { $1.kind == .line ? ([try forged(behind: $1)], $0 + 1) : nil }
  }

  @Test func `two that go on from each other, before the line that they replace`() throws {
    try check("two") { index, part in
      guard part.kind == .line else { return nil }
      let first = forged(part)
      return ([first, try forged(behind: first)], index)
    }
  }

  @Test func `a batch, behind one`() throws {
    try check("batch") { index, part in
      guard part.kind == .seal, index < log.parts.count - 1 else { return nil }
      let line = try forged(behind: log.parts[index - 1])
      let batch = try #require(AuditBatchSeal(line: part.text)).number + 1
      return ([line, try forged(closing: line, batch: batch)], index + 1)
    }
  }

  @Test func `a closing line within a batch`() throws {
    try check("closing within") { index, part in
      guard part.kind == .line, log.parts[index + 1].kind == .line else { return nil }
      let end = log.parts[index...].firstIndex { $0.kind == .seal } ?? index
      var seal = try #require(AuditBatchSeal(line: log.parts[end].text))
      seal.last = try #require(part.line?.sequence)
      seal.head = BLAKE2b.hash(part.text.span)
      return ([Part(kind: .seal, text: seal.line.dropLast(), file: part.file)], index + 1)
    }
  }

  @Test(arguments: [0, 1])
  func `a closing line with another MAC, beside the right one`(offset: Int) throws {
    try check("closing") { index, part in
      guard part.kind == .seal, index < vouched else { return nil }
      var seal = try #require(AuditBatchSeal(line: part.text))
      seal.mac[0] ^= 1
      let copy = Part(kind: .seal, text: seal.line.dropLast(), file: part.file)
      return ([copy], index + offset)
    }
  }

  @Test(arguments: [0, 1])
  func `a checkpoint with another signature, beside the right one`(offset: Int) throws {
    try check("checkpoint") { index, part in
      guard part.kind == .checkpoint || part.kind == .closing else { return nil }
      var checkpoint = try #require(AuditCheckpoint(line: part.text))
      checkpoint.signature[40] ^= 1
      let copy = Part(kind: part.kind, text: checkpoint.line.dropLast(), file: part.file)
      return ([copy], index + offset)
    }
  }
}
