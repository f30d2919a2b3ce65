import SecureMemory
import VaultCrypto

/// A door's reader over BLE, as far as the vault's tests need one: it does what a reader does, from
/// the protocol notes, and says when an answer is not what it must be.
final class TestReader {
  enum Failure: Error { case answer }

  let identifier: [UInt8]
  /// What the reader kept of an earlier transaction.
  private(set) var persistentKey: SecretBox?
  private let groupKey: P256PrivateKey
  private let credential: P256PublicKey
  private let ephemeral: P256PrivateKey
  let transactionIdentifier = SecureRandom.bytes(16)
  private var device: P256PublicKey?
  private var flags: [UInt8] = []
  private var toDevice: Cipher?
  private var fromDevice: Cipher?
  private var counters: (reader: UInt8, device: UInt8) = (1, 1)
  private var stepUp: Cipher?

  /// One direction of a channel.
  private final class Cipher {
    private let key: AESGCM

    init(_ key: consuming SecretBytes) throws { self.key = try AESGCM(key: key) }

    func seal(_ plaintext: [UInt8], _ nonce: [UInt8]) throws -> [UInt8] {
      let none: [UInt8] = []
      return try key.seal(plaintext.span, nonce: nonce.span, associatedData: none.span)
    }

    func open(_ sealed: [UInt8], _ nonce: [UInt8]) throws -> [UInt8] {
      let none: [UInt8] = []
      let plaintext = try key.open(sealed.span, nonce: nonce.span, associatedData: none.span)
      return plaintext.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    }
  }

  /// A secret that two readers can share.
  final class SecretBox {
    let secret: SecretBytes
    init(_ secret: consuming SecretBytes) { self.secret = secret }
  }

  /// Makes a reader that expects the holder of `credential`: its identifier is `group` and `sub`, 16
  /// times each, and it remembers what it knew at the end of the transaction `before`.
  init(
    _ credential: P256PublicKey, group: UInt8 = 7, sub: UInt8 = 1, after before: TestReader? = nil
  ) throws {
    self.credential = credential
    identifier = [UInt8](repeating: group, count: 16) + [UInt8](repeating: sub, count: 16)
    groupKey = try TestPass.readerKey()
    ephemeral = try P256PrivateKey.generate()
    persistentKey = before?.persistentKey
  }

  var ephemeralKey: P256PublicKey { ephemeral.publicKey }

  /// AUTH0 (section 4).
  func auth0(fast: Bool = false, policy: UInt8 = 1) -> [UInt8] {
    flags = [fast ? 1 : 0, policy]
    let data =
      [0x41, 1, flags[0], 0x42, 1, policy, 0x5C, 2, 1, 0, 0x87, 65] + ephemeralKey.uncompressed
      + [0x4C, 16] + transactionIdentifier + [0x4D, 32] + identifier
    return Self.command(0x80, data)
  }

  /// Takes the answer to AUTH0.
  ///
  /// - Returns: whether it holds a cryptogram of the persistent key that this reader has.
  @discardableResult
  func takeAuth0(_ messages: [[UInt8]]) throws -> Bool {
    let answer = try Self.answer(messages)
    guard answer.count >= 67, answer.starts(with: [0x86, 65]) else { throw Failure.answer }
    device = try P256PublicKey(uncompressed: Array(answer[2..<67]).span)
    guard flags[0] == 1 else { return false }
    guard answer.count == 67 + 66, answer[67..<69] == [0x9D, 64] else { throw Failure.answer }
    guard let persistentKey else { return false }
    let block = try derive(persistentKey.secret, "VolatileFast", 160, withCredential: true)
    let cryptogram = try Cipher(part(block, 0))
    let isOurs =
      (try? cryptogram.open(Array(answer[69...]), [UInt8](repeating: 0, count: 12))) != nil
    if isOurs {
      toDevice = try Cipher(part(block, 1))
      fromDevice = try Cipher(part(block, 2))
    }
    return isOurs
  }

  /// The reader's signature of its transcript (section 6).
  func signature(device point: P256PublicKey? = nil) throws -> [UInt8] {
    let device = try point ?? known()
    let transcript =
      [0x4D, 0x20] + identifier + [0x86, 0x20] + device.x + [0x87, 0x20] + ephemeralKey.x
      + [0x4C, 0x10] + transactionIdentifier + [0x93, 4, 0x41, 0x5D, 0x95, 0x69]
    return try groupKey.signature(message: transcript.span).raw
  }

  /// AUTH1, answered with the credential's key.
  func auth1() throws -> [UInt8] {
    Self.command(0x81, [0x41, 1, 1, 0x9E, 64] + (try signature()))
  }

  /// Takes the answer to AUTH1; the device's signature must verify.
  ///
  /// - Returns: the signaling bitmap.
  @discardableResult
  func takeAuth1(_ messages: [[UInt8]]) throws -> UInt16 {
    let shared = try ephemeral.sharedSecret(with: known())
    let sharedInfo = transactionIdentifier
    let kdh = try X963KDF.sha256(sharedSecret: shared, sharedInfo: sharedInfo.span, count: 32)
    let block = try derive(kdh, "Volatile****", 160, withCredential: false)
    toDevice = try Cipher(part(block, 0))
    fromDevice = try Cipher(part(block, 1))
    let (salt, info) = ([UInt8](), Array("SKReader".utf8))
    stepUp = try Cipher(
      HKDF.sha256(inputKey: part(block, 2), salt: salt.span, info: info.span, count: 32))
    counters = (1, 1)
    let plaintext = try open(messages)
    guard plaintext.starts(with: [0x5A, 65] + credential.uncompressed + [0x9E, 64]),
      plaintext.count >= 67 + 66 + 4, plaintext[133..<135] == [0x5E, 2]
    else { throw Failure.answer }
    let transcript =
      [0x4D, 0x20] + identifier + [0x86, 0x20] + (try known().x) + [0x87, 0x20] + ephemeralKey.x
      + [0x4C, 0x10] + transactionIdentifier + [0x93, 4, 0x4E, 0x88, 0x7B, 0x4C]
    let signature = try P256Signature(raw: Array(plaintext[69..<133]).span)
    guard credential.isValidSignature(signature, message: transcript.span) else {
      throw Failure.answer
    }
    persistentKey = SecretBox(try derive(kdh, "Persistent**", 32, withCredential: true))
    return UInt16(plaintext[135]) << 8 | UInt16(plaintext[136])
  }

  /// EXCHANGE with mailbox commands (section 9).
  func exchange(_ mailbox: [UInt8]) throws -> [UInt8] {
    let plaintext = [0xBA, UInt8(mailbox.count)] + mailbox
    guard let sealed = try toDevice?.seal(plaintext, nonce(0, counters.reader)) else {
      throw Failure.answer
    }
    counters.reader += 1
    return Self.command(0xC9, sealed)
  }

  /// The first ENVELOPE (section 11), which asks for an element of the access document.
  func envelope() throws -> [UInt8] {
    let items =
      [0xA2, 0x61, 0x31, 0xA1, 0x67] + Array("aliro-a".utf8) + [0xA1, 0x66]
      + Array("floor1".utf8) + [0xF4, 0x61, 0x35, 0x67] + Array("aliro-a".utf8)
    let request =
      [0xA2, 0x61, 0x31, 0x63] + Array("1.0".utf8) + [0x61, 0x32, 0x81, 0xA1, 0x61, 0x31, 0xD8, 24]
      + [0x58, UInt8(items.count)] + items
    guard let sealed = try stepUp?.seal(request, nonce(0, 1)) else { throw Failure.answer }
    let data = [0xA1, 0x64] + Array("data".utf8) + [0x58, UInt8(sealed.count)] + sealed
    return Self.command(0xC3, [0x53, UInt8(data.count)] + data, class: 0)
  }

  /// The plaintext of an encrypted answer.
  func open(_ messages: [[UInt8]]) throws -> [UInt8] {
    let sealed = try Self.answer(messages)
    guard let plaintext = try fromDevice?.open(sealed, nonce(1, counters.device)) else {
      throw Failure.answer
    }
    counters.device += 1
    return plaintext
  }

  private func known() throws -> P256PublicKey {
    guard let device else { throw Failure.answer }
    return device
  }

  private func nonce(_ direction: UInt8, _ counter: UInt8) -> [UInt8] {
    [0, 0, 0, 0, 0, 0, 0, direction, 0, 0, 0, counter]
  }

  /// Section 7.
  private func derive(
    _ key: borrowing SecretBytes, _ word: String, _ count: Int, withCredential: Bool
  ) throws -> SecretBytes {
    let salt =
      groupKey.publicKey.x + Array(word.utf8) + identifier + [0xC3, 0x5C, 2, 1, 0] + ephemeralKey.x
      + transactionIdentifier + flags + [0xA5, 8, 0x80, 2, 0, 0, 0x5C, 2, 1, 0]
      + (withCredential ? credential.x : [])
    let info = try known().x
    return try HKDF.sha256(inputKey: key, salt: salt.span, info: info.span, count: count)
  }

  private func part(_ block: borrowing SecretBytes, _ index: Int) throws -> SecretBytes {
    try block.withBytes { try SecretBytes(copying: $0.extracting(index * 32..<index * 32 + 32)) }
  }

  private static func command(
    _ instruction: UInt8, _ data: [UInt8], class: UInt8 = 0x80
  ) -> [UInt8] {
    let apdu = [`class`, instruction, 0, 0, UInt8(data.count)] + data
    return [0, 0, 0, UInt8(apdu.count)] + apdu
  }

  private static func answer(_ messages: [[UInt8]]) throws -> [UInt8] {
    guard messages.count == 1, messages[0].starts(with: [0, 1]), messages[0].count >= 6,
      messages[0].suffix(2) == [0x90, 0]
    else { throw Failure.answer }
    return Array(messages[0].dropFirst(4).dropLast(2))
  }
}
