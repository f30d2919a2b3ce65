import SecureMemory
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

  @Test func `reads secrets as it reads other octets, whatever the pair of characters`() {
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max {
        let text = [first, second]
        for upper in [false, true] {
          #expect(secret(text, upper) == plain(text, upper))
        }
      }
    }
  }

  @Test func `names the first wrong character of a secret, and an odd count`() {
    let digits = Array("00112233445566778899aAbBcCdDeEfF".utf8)
    #expect(secret(digits, true) == plain(digits, true))
    for offset in digits.indices {
      var text = digits
      text[offset] = UInt8(ascii: "g")
      #expect(secret(text, true) == .failure(.invalidHex(offset: offset)))
      text[digits.count - 1] = UInt8(ascii: "G")
      #expect(secret(text, true) == .failure(.invalidHex(offset: offset)))
    }
    #expect(secret(Array("000".utf8), true) == .failure(.invalidHex(offset: 3)))
    #expect(secret([], true) == .success([]))
  }

  @Test(arguments: [#""00aAfF""#, #""0\u0030aA\u0066F""#])
  func `reads the secret of a JSON string, escaped or not`(text: String) throws {
    let octets = Array(text.utf8)
    var reader = JSONReader(octets.span)
    let token = try reader.stringToken()
    let secret = try reader.secretHex(token)
    #expect(copy(of: secret) == [0x00, 0xAA, 0xFF])
  }

  private func plain(_ text: [UInt8], _ upper: Bool) -> Result<[UInt8], WireCodingError> {
    do throws(WireCodingError) {
      return .success(try Hex.decode(text.span, acceptingUpperCase: upper))
    } catch {
      return .failure(error)
    }
  }

  private func secret(_ text: [UInt8], _ upper: Bool) -> Result<[UInt8], WireCodingError> {
    do throws(WireCodingError) {
      return .success(copy(of: try Hex.decodeSecret(text.span, acceptingUpperCase: upper)))
    } catch {
      return .failure(error)
    }
  }

  private func copy(of secret: borrowing SecretBytes) -> [UInt8] {
    secret.withBytes { octets in octets.indices.map { octets[$0] } }
  }
}
