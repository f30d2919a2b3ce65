import Testing

@testable import VaultCrypto

@Suite struct P256SignatureTests {
  private static let order = P256Curve.order
  private static let one = [UInt8](repeating: 0, count: 31) + [1]

  /// A number below the order whose first octet does not set the sign bit, and one that does.
  private static let low = [0x7F] + [UInt8](repeating: 0x11, count: 31)
  private static let high = [0x80] + [UInt8](repeating: 0x22, count: 31)

  /// The order with something added to its last octet.
  private static func order(adding difference: Int) -> [UInt8] {
    Array(order.dropLast()) + [UInt8(Int(order[31]) + difference)]
  }

  /// An INTEGER and a SEQUENCE with any content.
  private static func integer(_ content: [UInt8]) -> [UInt8] {
    [0x02, UInt8(content.count)] + content
  }
  private static func sequence(_ content: [UInt8]) -> [UInt8] {
    [0x30, UInt8(content.count)] + content
  }

  @Test func `numbers from one to the order less one are taken in both forms`() throws {
    let numbers = [Self.one, Self.low, Self.high, Self.order(adding: -1)]
    for r in numbers {
      for s in numbers {
        let signature = try P256Signature.decode(raw: r + s)
        #expect(signature.raw == r + s)
        #expect(try P256Signature.decode(der: signature.der) == signature)
      }
    }
    #expect(try P256Signature.decode(raw: Self.one + Self.one).der == [0x30, 6, 2, 1, 1, 2, 1, 1])
    #expect(try P256Signature.decode(raw: Self.high + Self.high).der.count == 72)
  }

  @Test func `numbers out of range are refused in both forms`() {
    let zero = [UInt8](repeating: 0, count: 32)
    let most = [UInt8](repeating: 0xFF, count: 32)
    for bad in [zero, Self.order(adding: 0), Self.order(adding: 1), most] {
      for (r, s) in [(bad, Self.one), (Self.one, bad), (bad, bad)] {
        #expect(throws: VaultCryptoError.invalidSignatureEncoding) {
          try P256Signature.decode(raw: r + s)
        }
        let content = [r, s].map { number in
          let digits = [UInt8](number.drop { $0 == 0 })
          return Self.integer(digits.isEmpty ? [0] : digits[0] >= 0x80 ? [0] + digits : digits)
        }
        #expect(throws: VaultCryptoError.invalidSignatureEncoding) {
          try P256Signature.decode(der: Self.sequence(content[0] + content[1]))
        }
      }
    }
  }

  @Test func `a raw signature has 64 octets`() {
    let raw = Self.low + Self.low
    for octets in [[], Array(raw.dropLast()), raw + [0], Array(raw[..<32]), raw + raw] {
      #expect(throws: VaultCryptoError.invalidSignatureEncoding) {
        try P256Signature.decode(raw: octets)
      }
    }
  }

  @Test func `only one encoding of a number pair is taken`() throws {
    let (r, s) = (Self.integer(Self.low), Self.integer([0] + Self.high))
    let good = Self.sequence(r + s)
    _ = try P256Signature.decode(der: good)
    let bad: [String: [UInt8]] = [
      "trailing octet": good + [0],
      "trailing octet inside": Self.sequence(r + s + [0]),
      "third number": Self.sequence(r + s + Self.integer([1])),
      "one number": Self.sequence(r),
      "leading zero octet": Self.sequence(Self.integer([0] + Self.low) + s),
      "two leading zero octets": Self.sequence(r + Self.integer([0, 0] + Self.high)),
      "negative number": Self.sequence(r + Self.integer(Self.high)),
      "empty number": Self.sequence(r + Self.integer([])),
      "long length of the sequence": [0x30, 0x81, UInt8(r.count + s.count)] + r + s,
      "long length of a number": Self.sequence([0x02, 0x81, 32] + Self.low + s),
      "indefinite length": [0x30, 0x80] + r + s + [0, 0],
      "length too large": [0x30, UInt8(r.count + s.count + 1)] + r + s,
      "length too small": [0x30, UInt8(r.count + s.count - 1)] + r + s,
      "inner length too large": Self.sequence(r + [0x02, 34, 0] + Self.high),
      "set instead of sequence": [0x31] + good.dropFirst(),
      "octet string instead of number": Self.sequence([0x04] + r.dropFirst() + s),
      "33 digits": Self.sequence(Self.integer([1] + Self.high) + s),
    ]
    for (name, octets) in bad {
      #expect(throws: VaultCryptoError.invalidSignatureEncoding, "\(name)") {
        try P256Signature.decode(der: octets)
      }
    }
  }

  @Test func `cut and changed encodings never trap, and re-encode to themselves when taken`() {
    let good = Self.sequence(Self.integer([0] + Self.high) + Self.integer(Self.low))
    for count in 0..<good.count {
      #expect(throws: VaultCryptoError.self) {
        try P256Signature.decode(der: Array(good[..<count]))
      }
    }
    for index in good.indices {
      for octet in UInt8.min...UInt8.max {
        var changed = good
        changed[index] = octet
        guard let signature = try? P256Signature.decode(der: changed) else { continue }
        #expect(signature.der == changed)
      }
    }
  }
}
