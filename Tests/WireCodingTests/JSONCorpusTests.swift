import Foundation
import Testing
import WireCoding

/// The table of texts in `Tests/Vectors/json/corpus.tsv`.
@Suite struct JSONCorpusTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let outcome: String
    let offset: Int?
    let text: [UInt8]
    let value: [UInt8]
    var testDescription: String { "\(outcome) \(String(decoding: text.prefix(40), as: UTF8.self))" }
  }

  static let cases: [Case] = {
    let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Vectors/json/corpus.tsv")
    guard let table = try? String(contentsOf: path, encoding: .utf8) else { return [] }
    return table.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
      return Case(
        outcome: String(columns[0]), offset: Int(columns[1]), text: octets(columns[2]),
        value: octets(columns[3]))
    }
  }()

  @Test func `has the whole table`() {
    #expect(Self.cases.count == 225)
  }

  @Test(arguments: cases)
  func `accepts or refuses each text as the table says`(entry: Case) {
    do throws(WireCodingError) {
      let value = try JSONValue(entry.text.span)
      #expect(entry.outcome == "accept")
      var writer = JSONWriter()
      value.encode(into: &writer)
      #expect(writer.bytes == entry.value)
      #expect(try JSONValue(writer.bytes.span) == value)
    } catch {
      guard case .json(let fault, let offset) = error else {
        Issue.record("\(error)")
        return
      }
      #expect("\(fault)" == entry.outcome)
      #expect(offset == entry.offset)
    }
  }

  @Test(arguments: cases)
  func `passing over a value checks the same syntax as reading it`(entry: Case) {
    var reader = JSONReader(entry.text.span)
    do throws(WireCodingError) {
      try reader.skipValue()
      try reader.finish()
      let lax = ["accept", "duplicateName", "integerOutOfRange", "notAnInteger"]
      #expect(lax.contains(entry.outcome))
    } catch {
      guard case .json(let fault, let offset) = error else {
        Issue.record("\(error)")
        return
      }
      #expect("\(fault)" == entry.outcome)
      #expect(offset == entry.offset)
    }
  }

  @Test func `refuses every beginning of a valid text`() throws {
    let text = Array(
      #" {"a":[1,-20,{"b":"x\u00e9\ud83d\ude00é\n"}],"c":true,"d":null,"e":false,"":{}}"#.utf8)
    #expect(throws: Never.self) { try JSONValue(text.span) }
    for count in 0..<text.count {
      let beginning = Array(text[..<count])
      #expect(throws: WireCodingError.self) { try JSONValue(beginning.span) }
    }
  }

  @Test func `refuses a hostile depth without recursion to match`() {
    let text = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
    #expect(throws: WireCodingError.json(.tooDeep, offset: 16)) { try JSONValue(text.span) }
    let closed = [UInt8](repeating: UInt8(ascii: "]"), count: 1_000_000)
    #expect(throws: WireCodingError.json(.unexpectedByte, offset: 0)) {
      try JSONValue(closed.span)
    }
  }

  /// Undoes `<XX>`.
  private static func octets(_ column: Substring) -> [UInt8] {
    let text = Array(column.utf8)
    var octets: [UInt8] = []
    var index = 0
    while index < text.count {
      if text[index] == UInt8(ascii: "<"), index + 3 < text.count {
        octets += (try? Hex.decode(text[index + 1...index + 2], acceptingUpperCase: true)) ?? []
        index += 4
      } else {
        octets.append(text[index])
        index += 1
      }
    }
    return octets
  }
}

extension Hex {
  fileprivate static func decode(
    _ digits: ArraySlice<UInt8>, acceptingUpperCase: Bool
  ) throws -> [UInt8] {
    try decode(Array(digits).span, acceptingUpperCase: acceptingUpperCase)
  }
}
