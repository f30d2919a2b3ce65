import Testing
import WireCoding

@Suite struct HexTests {
  @Test func `writes lower case and reads it back`() throws {
    let octets: [UInt8] = Array(0...255)
    let text = Hex.encode(octets.span)
    #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff"))
    #expect(try Hex.decode(text) == octets)
  }

  @Test(arguments: [("0", 1), ("0g", 1), ("AB", 0), ("a b0", 1), ("00é", 2)])
  func `names the first wrong character`(text: String, offset: Int) {
    #expect(throws: WireCodingError.invalidHex(offset: offset)) { try Hex.decode(text) }
  }

  @Test func `reads upper case only when told`() throws {
    #expect(try Hex.decode("aAfF09", acceptingUpperCase: true) == [0xAA, 0xFF, 0x09])
  }
}
