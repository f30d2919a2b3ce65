import Testing

@testable import AliroEngine

/// Encodings of RFC 8949, appendix A, and of cbor2 where that has none.
@Suite struct CBORWriterTests {
  private func written(_ body: (inout CBORWriter) -> Void) -> [UInt8] {
    var writer = CBORWriter()
    body(&writer)
    return writer.encoded
  }

  @Test(
    arguments: [
      (0, "00"), (10, "0a"), (23, "17"), (24, "1818"), (100, "1864"), (1000, "1903e8"),
      (1_000_000, "1a000f4240"), (1_000_000_000_000, "1b000000e8d4a51000"),
      (18_446_744_073_709_551_615, "1bffffffffffffffff"),
    ] as [(UInt64, String)])
  func `numbers take their shortest form`(value: UInt64, encoding: String) {
    #expect(written { $0.unsigned(value) } == hexOctets(encoding))
  }

  @Test func `strings, lists and maps are those of the standard`() {
    #expect(written { $0.bytes([1, 2, 3, 4]) } == hexOctets("4401020304"))
    #expect(written { $0.bytes([]) } == [0x40])
    #expect(written { $0.text("\u{fc}") } == hexOctets("62c3bc"))
    #expect(written { $0.text("") } == [0x60])
    #expect(written { $0.array(0) } == [0x80])
    #expect(written { $0.map(0) } == [0xA0])
    let list = written {
      $0.array(2)
      $0.unsigned(1)
      $0.array(2)
      $0.unsigned(2)
      $0.unsigned(3)
    }
    #expect(list == hexOctets("8201820203"))
    let map = written {
      $0.map(1)
      $0.text("a")
      $0.item([0x81, 0x01])
    }
    #expect(map == hexOctets("a161618101"))
  }

  @Test(arguments: [
    (23, "57"), (24, "5818"), (255, "58ff"), (256, "590100"), (65_536, "5a00010000"),
  ])
  func `the heads of strings grow with them`(count: Int, head: String) {
    let octets = [UInt8](repeating: 7, count: count)
    #expect(written { $0.bytes(octets) } == hexOctets(head) + octets)
  }
}
