import SecureMemory
import Testing
import VaultCrypto

@testable import VaultCore

/// The record of what a key has signed: what it holds, and that nothing else opens.
@Suite struct SignedTranscriptsTests {
  private func digest(_ number: Int, first: UInt8 = 0x0A) -> [UInt8] {
    [first] + SHA256.hash([UInt8(number >> 8), UInt8(number & 0xFF)].span).dropFirst()
  }

  private func octets(_ transcripts: SignedTranscripts) throws -> [UInt8] {
    try transcripts.encode().withBytes { bytes in bytes.indices.map { bytes[$0] } }
  }

  private func open(_ octets: [UInt8]) throws -> SignedTranscripts {
    try SignedTranscripts(opening: SecretBytes(copying: octets.span), startingWith: 0x0A)
  }

  private func transcripts(_ count: Int) throws -> SignedTranscripts {
    var transcripts = SignedTranscripts(startingWith: 0x0A)
    for number in 0..<count { try transcripts.add(digest(number)) }
    return transcripts
  }

  @Test func `holds each digest once, ascending, up to its bound, and forgets none`() throws {
    var full = try transcripts(SignedTranscripts.bound)
    let whole = try octets(full)
    #expect(whole.count == 1 + 32 * SignedTranscripts.bound)
    #expect(try open(whole) == full)
    #expect(
      full.digests
        == (0..<SignedTranscripts.bound).map { digest($0) }
        .sorted { $0.lexicographicallyPrecedes($1) })
    for number in [0, 1, 2_000, SignedTranscripts.bound - 1] {
      #expect(code { try full.add(digest(number)) } == .conflict)
    }
    #expect(code { try full.add(digest(SignedTranscripts.bound)) } == .keyUnusable)
    #expect(try octets(full) == whole)
    for other in [[], [0x0A], digest(1, first: 0x0B)] {
      #expect(code { try full.add(other) } == .internal)
    }
    #expect(
      [0, 9, 0x0A, 0x10, 0xFF].map { SignedTranscripts.identifier($0) } == [
        "00", "09", "0a", "10", "ff",
      ])
  }

  @Test func `nothing but a whole record opens`() throws {
    let whole = try octets(transcripts(3))
    let parts = (0..<3).map { Array(whole[(1 + 32 * $0)..<(33 + 32 * $0)]) }
    for count in 0..<whole.count where count % 32 != 1 || count == 1 {
      #expect(code { _ = try open(Array(whole.prefix(count))) } == .damaged)
    }
    let others: [[UInt8]] = [
      whole + [0], [0] + whole.dropFirst(), [2] + whole.dropFirst(),
      [1] + parts[1] + parts[0] + parts[2], [1] + parts[0] + parts[0], [1] + digest(1, first: 0x0B),
      [1] + digest(1, first: 9) + parts[0],
    ]
    for other in others { #expect(code { _ = try open(other) } == .damaged) }
    let tooMany = (0...SignedTranscripts.bound).flatMap { number -> [UInt8] in
      [0x0A, UInt8(number >> 8), UInt8(number & 0xFF)] + [UInt8](repeating: 0, count: 29)
    }
    #expect(try open([1] + tooMany.dropLast(32)).digests.count == SignedTranscripts.bound)
    #expect(code { _ = try open([1] + tooMany) } == .damaged)
  }

  @Test func `what opens after any change of octets is written back alike`() throws {
    let whole = try octets(transcripts(3))
    var state: UInt64 = 42
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for _ in 0..<4_000 {
      var bytes = whole
      for _ in 0...random(3) {
        switch random(3) {
        case 0: bytes[random(bytes.count)] = UInt8(random(256))
        case 1: bytes.removeLast(min(bytes.count - 1, random(34)))
        default: bytes.append(contentsOf: [UInt8](repeating: UInt8(random(256)), count: random(34)))
        }
      }
      do {
        #expect(try octets(open(bytes)) == bytes)
      } catch let error as VaultError {
        #expect(error.code == .damaged)
      }
    }
  }
}
