import SecureMemory
import Testing
import WireCoding

@testable import VaultAPI

/// Secrets whose own standard is hexadecimal.
@Suite struct SecretHexTests {
  private enum Member: String, MemberName {
    case first, key, last
  }

  private static let table = MemberTable<Member> { member in
    switch member {
    case .first, .last: .optional(.boolean)
    case .key: .required(.secretHex(4))
    }
  }

  @Test func `digits of either case, escaped or not, go into guarded memory`() throws {
    for text in ["00ff7a9b", "00FF7a9B", #"\u0030\u0030ff7\u00619b"#] {
      let key = try decode(#"{"key":"\#(text)"}"#)
      let octets: [UInt8] = [0x00, 0xFF, 0x7A, 0x9B]
      #expect(key.bytes.isEqual(to: try SecretBytes(copying: octets.span)))
    }
  }

  @Test(arguments: [
    "00ff7a9", "00ff7a9b0", "00ff7a9b00", "", "00ff7a9g", " 0ff7a9b", "0x0ff7a9", "00ff-7a9",
    "é0ff7a9", "\\u00e90ff7a9",
  ])
  func `another number of digits, and what is no digit, is refused by name`(text: String) {
    let error = #expect(throws: VaultAPIError.self) {
      _ = try decode(#"{"first":true,"key":"\#(text)"}"#)
    }
    #expect(error == .parameter(path: "key", .mustBe("8 hexadecimal digits"), offset: 20))
  }

  @Test func `is marked as a secret`() {
    #expect(Self.table.fields.map(\.isSecret) == [false, true, false])
    #expect(FieldKind.array(.secretHex(4), 1...2).holdsSecret)
  }

  @Test func `is written as it is read`() throws {
    let octets = [UInt8](0...255)
    let secret = try SecretBytes(copying: octets.span)
    var writer = try SecretJSONWriter(capacity: 600)
    writer.beginObject()
    writer.name("first")
    writer.boolean(true)
    writer.member("key", hex: secret)
    writer.name("last")
    writer.boolean(false)
    writer.endObject()
    let line = try writer.finish()
    let expected = Array(#"{"first":true,"key":"\#(Hex.encode(octets.span))","last":false}"#.utf8)
    let isSame = line.withBytes { bytes in
      bytes.count == expected.count && bytes.indices.allSatisfy { bytes[$0] == expected[$0] }
    }
    #expect(isSame)
  }

  private func decode(_ text: String) throws(VaultAPIError) -> SecretBox {
    let octets = Array(text.utf8)
    var reader = JSONReader(octets.span)
    var object = try ObjectDecoder(Self.table, &reader)
    var key: SecretBox?
    while let member = try object.next(&reader) {
      switch member {
      case .key: key = try object.secretHex(&reader)
      case .first, .last: _ = try object.boolean(&reader)
      }
    }
    return try object.required(key, .key)
  }
}
