import EngineTestSupport
import Testing

@testable import AliroEngine

@Suite struct CBORDecoderTests {
  private func decode(_ text: String) throws(DocumentFlaw) -> CBORItem {
    try CBORDecoder.decode(hexOctets(text))
  }

  // Examples of RFC 8949, appendix A.
  @Test(
    arguments: [
      ("00", 0), ("01", 1), ("0a", 10), ("17", 23), ("1818", 24), ("1819", 25), ("1864", 100),
      ("1903e8", 1000), ("1a000f4240", 1_000_000), ("1b000000e8d4a51000", 1_000_000_000_000),
      ("20", -1), ("29", -10), ("3863", -100), ("3903e7", -1000),
    ] as [(String, Int64)])
  func `reads the numbers of RFC 8949`(text: String, number: Int64) throws {
    #expect(try decode(text).integer == number)
  }

  @Test func `reads the largest numbers without a trap`() throws {
    #expect(try decode("1bffffffffffffffff").unsigned == .max)
    #expect(try decode("1bffffffffffffffff").integer == nil)
    #expect(try decode("3bffffffffffffffff").integer == nil)
    #expect(try decode("3b7fffffffffffffff").integer == .min)
  }

  @Test func `reads the other kinds of RFC 8949`() throws {
    #expect(try decode("4401020304").bytes == [1, 2, 3, 4])
    #expect(try decode("40").bytes == [])
    #expect(try decode("6449455446").text == "IETF")
    #expect(try decode("62c3bc").text == "ü")
    #expect(try decode("f4").boolean == false)
    #expect(try decode("f5").boolean == true)
    #expect(try decode("8301820203820405").array?.map { $0.array?.count } == [nil, 2, 2])
    #expect(try decode("a201020304")[3]?.unsigned == 4)
    #expect(try decode("a26161016162820203")["b"]?.array?.count == 2)
    #expect(try decode("c074323031332d30332d32315432303a30343a30305a").tagged(0)?.text != nil)
    #expect(try decode("d818456449455446").tagged(24)?.bytes?.count == 5)
    for text in ["f6", "f7", "f90000", "fa47c35000", "fb3ff199999999999a", "f97e00"] {
      _ = try decode(text)
    }
  }

  @Test func `keeps the positions of encodings`() throws {
    let item = try decode("a2616101616282d818410203")
    #expect(item.encoding == 0..<12)
    #expect(item["b"]?.array?.first?.encoding == 7..<11)
  }

  @Test(arguments: [
    ("nothing", ""), ("a number that could be shorter", "1817"), ("1 in two octets", "1801"),
    ("255 in three octets", "1900ff"), ("65535 in five", "1a0000ffff"),
    ("a length that could be shorter", "58050102030405"), ("a text likewise", "780161"),
    ("an array likewise", "980101"), ("a map likewise", "b8010101"), ("a tag likewise", "d80000"),
    ("an indefinite string", "5f42010243030405ff"), ("an indefinite text", "7f6161ff"),
    ("an indefinite array", "9fff"), ("an indefinite map", "bfff"), ("a break", "ff"),
    ("a key twice", "a201020103"), ("a text key twice", "a2616101616102"),
    ("trailing octets", "0000"), ("a string cut short", "4201"), ("an array cut short", "8201"),
    ("a map cut short", "a101"), ("a tag of nothing", "c0"), ("reserved", "1c"),
    ("a simple value unknown", "f0"), ("a simple value in two octets", "f8ff"),
    ("not UTF-8", "61ff"), ("a count that cannot be true", "9b00000001ffffffff00"),
    ("a map count that cannot be true", "bbffffffffffffffff"),
    ("a length that cannot be true", "5bffffffffffffffff"),
    ("a length that overflows", "5b7fffffffffffffff00"),
  ])
  func `refuses what is not canonical`(name: String, text: String) {
    #expect(throws: DocumentFlaw.self) { _ = try decode(text) }
  }

  @Test func `has limits of depth, size and number`() throws {
    let deep = String(repeating: "81", count: 15) + "00"
    _ = try decode(deep)
    #expect(throws: DocumentFlaw.notCanonical(offset: 16)) { _ = try decode("81" + deep) }
    let head: [UInt8] = [0x59, 0xFF, 0xFD]
    let large = head + [UInt8](repeating: 0, count: 0xFFFD)
    #expect(large.count == 65_536)
    #expect(try CBORDecoder.decode(large).bytes?.count == 0xFFFD)
    #expect(throws: DocumentFlaw.tooLarge(65_537)) { _ = try CBORDecoder.decode(large + [0]) }
    let many = [0x99, 0x20, 0x00] + [UInt8](repeating: 0, count: 0x2000)
    #expect(throws: DocumentFlaw.self) { _ = try CBORDecoder.decode(many) }
  }

  @Test func `random octets never trap`() {
    var generator = FixedGenerator(state: 0xC0B0)
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...32, using: &generator)
      let octets = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      guard let item = try? CBORDecoder.decode(octets) else { continue }
      #expect(item.encoding == 0..<count)
    }
  }
}
