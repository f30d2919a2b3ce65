import EngineTestSupport
import Testing
import WireCoding

@Suite struct TLVTests {
  private func elements(_ bytes: [UInt8]) throws(TLVError) -> [TLVElement] {
    try TLVReader.elements(in: bytes.span)
  }

  @Test func `reads one and two octet tags and the three length forms`() throws {
    let long = [UInt8](repeating: 7, count: 0x80)
    let longer = [UInt8](repeating: 9, count: 0x100)
    let bytes: [UInt8] =
      [0x41, 1, 0xAA, 0x7F, 0x66, 0] + [0x9F, 0x00, 0x81, 0x80] + long
      + [0x53, 0x82, 0x01, 0x00] + longer
    let found = try elements(bytes)
    #expect(found.map(\.tag) == [0x41, 0x7F66, 0x9F00, 0x53])
    #expect(found.map(\.value.count) == [1, 0, 0x80, 0x100])
    #expect(found.first?.encoding == 0..<3)
    #expect(Array(bytes[found[0].value]) == [0xAA])
    #expect(found.last?.encoding.upperBound == bytes.count)
  }

  @Test func `reads nothing from nothing`() throws {
    #expect(try elements([]).isEmpty)
  }

  @Test(
    arguments: [
      ([0x41], TLVError.truncated(offset: 1)),
      ([0x41, 2, 1], .truncated(offset: 0)),
      ([0x41, 0x81], .truncated(offset: 1)),
      ([0x41, 0x82, 1], .truncated(offset: 1)),
      ([0x9F], .truncated(offset: 0)),
      ([0x00, 0x00], .unsupportedTag(offset: 0)),
      ([0x41, 0, 0], .unsupportedTag(offset: 2)),
      ([0x9F, 0x80, 0x01, 0], .unsupportedTag(offset: 0)),
      ([0x41, 0x80], .unsupportedLength(offset: 1)),
      ([0x41, 0x81, 0x7F], .unsupportedLength(offset: 1)),
      ([0x41, 0x82, 0x00, 0xFF], .unsupportedLength(offset: 1)),
      ([0x41, 0x83, 0, 0, 1, 0], .unsupportedLength(offset: 1)),
      ([0x41, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], .unsupportedLength(offset: 1)),
      ([0x41, 0xFF], .unsupportedLength(offset: 1)),
    ] as [([UInt8], TLVError)])
  func `refuses what is not in the strict form`(bytes: [UInt8], error: TLVError) {
    #expect(throws: error) { _ = try elements(bytes) }
  }

  @Test func `a reader for a range never looks outside it`() throws {
    let bytes: [UInt8] = [0x30, 3, 0x41, 1, 5, 0x42, 0]
    let outer = try elements(bytes)
    #expect(try TLVReader.elements(in: bytes.span, outer[0].value).map(\.tag) == [0x41])
    // The inner length reaches past the range, though not past the octets.
    let crossing: [UInt8] = [0x30, 2, 0x41, 1, 5]
    #expect(throws: TLVError.truncated(offset: 2)) {
      _ = try TLVReader.elements(in: crossing.span, 2..<4)
    }
    #expect(throws: TLVError.truncated(offset: 9)) {
      _ = try TLVReader.elements(in: crossing.span, 9..<12)
    }
    #expect(throws: TLVError.truncated(offset: 5)) {
      _ = try TLVReader.elements(in: crossing.span, 5..<6)
    }
  }

  @Test(arguments: [0, 1, 0x7F, 0x80, 0xFF, 0x100, 0xFFFF])
  func `reads back what it writes`(count: Int) throws {
    var writer = TLVWriter()
    let value = [UInt8](repeating: 0xA5, count: count)
    try writer.append(0x7F66, value)
    try writer.append(0x30) { inner throws(TLVError) in try inner.append(0x04, [1]) }
    let found = try elements(writer.bytes)
    #expect(found.map(\.tag) == [0x7F66, 0x30])
    #expect(Array(writer.bytes[found[0].value]) == value)
    #expect(Array(writer.bytes[found[1].value]) == [0x04, 1, 1])
  }

  @Test func `refuses to write a value that no length can announce`() {
    var writer = TLVWriter()
    #expect(throws: TLVError.valueTooLong(0x10000)) {
      try writer.append(0x41, [UInt8](repeating: 0, count: 0x10000))
    }
    #expect(writer.bytes.isEmpty)
  }

  @Test func `random octets never trap, and what is read is written back alike`() throws {
    var generator = FixedGenerator(state: 0x5EED)
    for _ in 0..<20_000 {
      let count = Int.random(in: 0...24, using: &generator)
      let bytes = (0..<count).map { _ in
        // Small numbers make nested and two-octet forms likely.
        Bool.random(using: &generator)
          ? UInt8.random(in: 0...3, using: &generator) : .random(in: 0...255, using: &generator)
      }
      guard let found = try? elements(bytes) else { continue }
      var writer = TLVWriter()
      for element in found {
        try writer.append(element.tag, Array(bytes[element.value]))
      }
      #expect(writer.bytes == bytes)
    }
  }
}
