import Testing
import WireCoding

@Suite struct ByteReaderTests {
  @Test func `reads back what the writer wrote`() throws {
    var writer = ByteWriter()
    writer.uint8(0x01)
    writer.uint16(0x0203)
    writer.uint32(0x0405_0607)
    writer.uint64(0x0809_0A0B_0C0D_0E0F)
    writer.append([0x10, 0x11])
    let octets = writer.bytes
    #expect(octets == Array(1...17))
    var reader = ByteReader(octets.span)
    #expect(try reader.uint8() == 0x01)
    #expect(try reader.uint16() == 0x0203)
    #expect(try reader.uint32() == 0x0405_0607)
    #expect(try reader.uint64() == 0x0809_0A0B_0C0D_0E0F)
    let rest = try reader.span(2)
    #expect(rest[0] == 0x10 && rest[1] == 0x11)
    let isAtEnd = reader.isAtEnd
    #expect(isAtEnd)
    try reader.finish()
  }

  @Test(arguments: [-1, 4, Int.max, Int.min])
  func `refuses a count that is not there, and stays where it is`(count: Int) throws {
    let octets: [UInt8] = [1, 2, 3]
    var reader = ByteReader(octets.span)
    #expect(try reader.uint8() == 1)
    for attempt in 0..<3 {
      do throws(WireCodingError) {
        switch attempt {
        case 0: try reader.skip(count)
        case 1: _ = try reader.bytes(count)
        default: _ = try reader.uint32()
        }
        Issue.record("read past the end")
      } catch {
        #expect(error == .truncated(offset: 1))
      }
    }
    #expect(try reader.bytes(2) == [2, 3])
  }

  @Test func `names where more octets follow`() throws {
    let octets: [UInt8] = [1, 2, 3]
    var reader = ByteReader(octets.span)
    try reader.skip(2)
    do throws(WireCodingError) {
      try reader.finish()
      Issue.record("no error")
    } catch {
      #expect(error == .trailingBytes(offset: 2))
    }
  }
}
