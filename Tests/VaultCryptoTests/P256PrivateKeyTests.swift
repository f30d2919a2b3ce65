import Foundation
import SecureMemory
import Synchronization
import Testing

@testable import VaultCrypto

@Suite struct P256PrivateKeyTests {
  init() throws { try SecureHeap.start(bytes: 1 << 20) }

  @Test func `openssl verifies what a key signs`() throws {
    let workshop = try Workshop()
    for number in 0..<10 {
      let key = try P256PrivateKey.generate()
      let message = SecureRandom.bytes(number * 37)
      try workshop.write(key.publicKey.subjectPublicKeyInfo, to: "key.der")
      try workshop.openssl("pkey", "-pubin", "-inform", "DER", "-in", "key.der", "-out", "key.pem")
      try workshop.write(try key.sign(message).der, to: "signature")
      try workshop.write(message, to: "message")
      let verify = ["dgst", "-sha256", "-verify", "key.pem", "-signature", "signature", "message"]
      let answer = try workshop.openssl(
        verify[0], verify[1], verify[2], verify[3], verify[4], verify[5], verify[6])
      #expect(answer.status == 0)
      try workshop.write(message + [1], to: "message")
      let other = try workshop.openssl(
        verify[0], verify[1], verify[2], verify[3], verify[4], verify[5], verify[6])
      #expect(other.status != 0)
    }
  }

  @Test func `a key signs what openssl's form of it signs and agrees with`() throws {
    let workshop = try Workshop()
    try workshop.openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", "key.pem")
    // ECPrivateKey (RFC 5915): 30 77 02 01 01 04 20 scalar … with the scalar at offset 7.
    let der = try workshop.openssl("ec", "-in", "key.pem", "-outform", "DER").output
    let info = try workshop.openssl("pkey", "-in", "key.pem", "-pubout", "-outform", "DER").output
    let key = try P256PrivateKey.decode(Array(der[7..<39]))
    #expect(key.publicKey.subjectPublicKeyInfo == info)
    try workshop.write(Array("message".utf8), to: "message")
    let signed = try workshop.openssl("dgst", "-sha256", "-sign", "key.pem", "message").output
    #expect(key.publicKey.accepts(try .decode(der: signed), Array("message".utf8)))
    let peer = try P256PrivateKey.generate()
    try workshop.write(peer.publicKey.subjectPublicKeyInfo, to: "peer.der")
    let shared = try workshop.openssl(
      "pkeyutl", "-derive", "-inkey", "key.pem", "-peerkey", "peer.der", "-peerform", "DER")
    #expect(octets(try key.sharedSecret(with: peer.publicKey)) == shared.output)
    #expect(octets(try peer.sharedSecret(with: key.publicKey)) == shared.output)
  }

  @Test func `a signature verifies in both forms and for its message and key alone`() throws {
    let (key, other) = (try P256PrivateKey.generate(), try P256PrivateKey.generate())
    for size in [0, 1, 32, 1000] {
      let message = SecureRandom.bytes(size)
      let signature = try key.sign(message)
      #expect(key.publicKey.accepts(signature, message))
      #expect(!key.publicKey.accepts(signature, message + [0]))
      #expect(!other.publicKey.accepts(signature, message))
      #expect(try P256Signature.decode(der: signature.der) == signature)
      #expect(try P256Signature.decode(raw: signature.raw) == signature)
      #expect(try key.sign(message) != signature)
    }
  }

  @Test(arguments: [0, 20, 31, 33, 48, 64])
  func `only digests of 32 octets are signed`(count: Int) throws {
    let key = try P256PrivateKey.generate()
    let digest = [UInt8](repeating: 1, count: count)
    #expect(throws: VaultCryptoError.invalidParameters) {
      try key.signature(digest: digest.span)
    }
  }

  @Test func `scalars out of range or of another length are refused`() throws {
    let order = P256Curve.order
    let bad: [[UInt8]] = [
      [], [1], [UInt8](repeating: 0, count: 32), order, order.dropLast() + [order[31] + 1],
      [UInt8](repeating: 0xFF, count: 32), [UInt8](repeating: 1, count: 31),
      [UInt8](repeating: 1, count: 33),
    ]
    let point = try P256PublicKey.decode(generator)
    for scalar in bad {
      #expect(throws: VaultCryptoError.invalidKey) { try P256PrivateKey.decode(scalar) }
      #expect(throws: VaultCryptoError.invalidKey) {
        try P256PrivateKey(scalar: secret(scalar), publicKey: point)
      }
    }
  }

  @Test func `the smallest and the largest scalar work`() throws {
    let one = [UInt8](repeating: 0, count: 31) + [1]
    let last = P256Curve.order.dropLast() + [P256Curve.order[31] - 1]
    let first = try P256PrivateKey.decode(one)
    #expect(first.publicKey.uncompressed == generator)
    let short = [UInt8](repeating: 0, count: 16) + last[16...]
    for scalar in [one, [UInt8](last), short] {
      let key = try P256PrivateKey.decode(scalar)
      #expect(octets(try key.scalar()) == scalar)
      #expect(key.publicKey.accepts(try key.sign([1]), [1]))
      // The order less one mirrors the generator: its x coordinate is the same.
      #expect(octets(try key.sharedSecret(with: first.publicKey)) == key.publicKey.x)
    }
  }

  @Test func `a key made with its public key is the same key`() throws {
    let key = try P256PrivateKey.generate()
    let scalar = try key.scalar()
    let again = try P256PrivateKey(scalar: scalar, publicKey: key.publicKey)
    #expect(key.publicKey.accepts(try again.sign([1]), [1]))
    #expect(octets(try again.scalar()) == octets(scalar))
  }

  @Test func `threads share one key`() throws {
    let key = try P256PrivateKey.generate()
    let peer = try P256PrivateKey.generate()
    let expected = octets(try peer.sharedSecret(with: key.publicKey))
    let failures = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 8) { thread in
      for round in 0..<50 {
        let message = [UInt8(thread), UInt8(round)]
        let isVerified =
          (try? key.sign(message)).map { key.publicKey.accepts($0, message) } ?? false
        let shared = try? octets(key.sharedSecret(with: peer.publicKey))
        let isGood = isVerified && shared == expected
        if !isGood { failures.add(1, ordering: .relaxed) }
      }
    }
    #expect(failures.load(ordering: .relaxed) == 0)
  }

  /// Writes signatures for a verifier of another make to read, a line each:
  /// `format message point signature`, all but the format in hex.
  ///
  /// `LATCHKEY_SIGNATURES` names the file, `LATCHKEY_SIGNATURE_COUNT` says how many of each format.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["LATCHKEY_SIGNATURES"] != nil))
  func `signatures for another verifier`() throws {
    let environment = ProcessInfo.processInfo.environment
    let path = try #require(environment["LATCHKEY_SIGNATURES"])
    let count = environment["LATCHKEY_SIGNATURE_COUNT"].flatMap { Int($0) } ?? 100_000
    try #require(FileManager.default.createFile(atPath: path, contents: nil))
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    let digits = Array("0123456789abcdef".utf8)
    let hex = { (octets: [UInt8]) in
      octets.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }
    var key = try P256PrivateKey.generate()
    var lines: [UInt8] = []
    for number in 0..<count {
      if number % 100 == 0 { key = try .generate() }
      for format in ["der", "raw"] {
        let message = SecureRandom.bytes(1 + number % 64)
        let signature = try key.sign(message)
        let octets = format == "der" ? signature.der : signature.raw
        lines += Array(format.utf8) + [32] + hex(message) + [32]
        lines += hex(key.publicKey.uncompressed) + [32] + hex(octets) + [10]
      }
      if lines.count > 1 << 20 {
        try file.write(contentsOf: lines)
        lines = []
      }
    }
    try file.write(contentsOf: lines)
    try file.close()
  }
}
