import Foundation
import SecureMemory
import Testing
import WireCoding

@Suite struct Base64Tests {
  /// RFC 4648 §10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func `agrees with the standard's own vectors`(plain: String, text: String) throws {
    let octets = Array(plain.utf8)
    #expect(Base64.encode(octets.span) == text)
    #expect(try Base64.decode(text) == octets)
    #expect(Base64.encodedCount(octets.count) == text.utf8.count)
  }

  @Test func `agrees with Foundation for every length, in ordinary and guarded memory`() throws {
    var octets: [UInt8] = []
    for count in 0..<300 {
      let text = Data(octets).base64EncodedString()
      #expect(Base64.encode(octets.span) == text)
      #expect(try Base64.decode(text) == octets)
      let characters = Array(text.utf8)
      #expect(try secret(characters) == octets)
      var writer = try SecretJSONWriter(capacity: 1000)
      writer.base64(secret: try SecretBytes(copying: octets.span))
      let written = try writer.finish().withBytes { try JSONValue($0).text }
      #expect(written == text)
      octets.append(UInt8(truncatingIfNeeded: count &* 167 &+ 13))
    }
  }

  @Test func `accepts exactly one text for each single octet and pair`() throws {
    let alphabet = Array(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_ \n\0".utf8)
    var accepted = 0
    for first in alphabet {
      for second in alphabet {
        for text in [[first, second, 61, 61], [65, first, second, 61]] {
          guard let octets = try? Base64.decode(text.span) else {
            #expect(throws: WireCodingError.self) { try secret(text) }
            continue
          }
          accepted += 1
          #expect(Array(Base64.encode(octets.span).utf8) == text)
          #expect(try secret(text) == octets)
        }
      }
    }
    // 256 single octets; pairs whose first six bits are zero: 4 × 256; and, with `=` in their third
    // place, the four single octets which begin with six zero bits once more.
    #expect(accepted == 256 + 1024 + 4)
  }

  @Test(arguments: [
    ("A", 1), ("AA", 2), ("AAA", 3), ("AAAAA", 5), ("A===", 1), ("====", 0), ("AA=A", 2),
    ("AAA=AAAA", 3), ("AA==AAAA", 2), ("AA==\n", 5), ("AA A", 2), ("AA-_", 2), ("AB==", 1),
    ("AAB=", 2), ("=AAA", 0), ("AAAA====", 4), ("AAAA=", 5),
  ])
  func `names where a text stops being canonical`(text: String, offset: Int) {
    #expect(throws: WireCodingError.invalidBase64(offset: offset)) { try Base64.decode(text) }
    let characters = Array(text.utf8)
    #expect(throws: WireCodingError.invalidBase64(offset: offset)) { try secret(characters) }
  }

  @Test func `tells apart all 256 characters`() {
    for character in UInt8.min...UInt8.max {
      let text = [character, 65, 65, 65]
      let known = Data(base64Encoded: Data(text)) != nil
      #expect(((try? Base64.decode(text.span)) != nil) == known)
      #expect(((try? secret(text)) != nil) == known)
    }
  }

  private func secret(_ text: [UInt8]) throws -> [UInt8] {
    let secret = try Base64.decodeSecret(text.span)
    return secret.withBytes { octets in
      var copy: [UInt8] = []
      for index in octets.indices { copy.append(octets[index]) }
      return copy
    }
  }
}
