import SecureMemory
import Synchronization
import VaultCrypto

/// What both sides know once AUTH0 is answered, and the keys that come of it (section 7): the
/// harness's own derivation, from the notes alone.
struct TransactionKeys {
  let readerIdentifier: [UInt8]
  let transactionIdentifier: [UInt8]
  /// The values of tags 41 and 42.
  let flags: [UInt8]
  /// The reader's vendor extension, whole; empty when there is none.
  let vendorExtension: [UInt8]
  let readerPoint: [UInt8]
  let deviceKey: P256PrivateKey
  let interface: UInt8

  static let readerKeys = (1...3).map { Vectors.aliro.key("readerEphemeral\($0)") }

  /// The group of the reader, if the passes have it.
  var group: AliroWorld.Group? {
    let groups = [AliroWorld.direct, AliroWorld.certified]
    return groups.first { readerIdentifier.starts(with: $0.identifier) }
  }

  var transcript: Transcript {
    Transcript(
      readerIdentifier: readerIdentifier, deviceX: deviceKey.publicKey.x,
      readerX: Array(readerPoint[1..<33]), transactionIdentifier: transactionIdentifier)
  }

  /// Z and Kdh; `nil` for a reader's key that is none of the harness's, whose session stays dark.
  var agreed: (shared: [UInt8], key: [UInt8])? {
    let own = Self.readerKeys.first { $0.publicKey.uncompressed == readerPoint }
    guard let own else { return nil }
    let shared = Self.shared(own, deviceKey.publicKey)
    guard let secret = try? SecretBytes(copying: shared.span),
      let key = try? X963KDF.sha256(
        sharedSecret: secret, sharedInfo: transactionIdentifier.span, count: 32)
    else { fatalError("no memory") }
    return (shared, key.withBytes { copy($0) })
  }

  /// A block of keys of 32 octets each.
  func block(
    _ word: String, from key: [UInt8], of group: AliroWorld.Group, count: Int = 5
  ) -> [[UInt8]] {
    var salt = group.key.publicKey.x + Array(word.utf8) + readerIdentifier
    salt += [interface, 0x5C, 0x02, 0x01, 0x00] + readerPoint[1..<33] + transactionIdentifier
    salt += flags + [0xA5, 0x08, 0x80, 0x02, 0x00, 0x00, 0x5C, 0x02, 0x01, 0x00]
    if word != "Volatile****" { salt += CountingSigner.key.publicKey.x }
    let info = deviceKey.publicKey.x + vendorExtension
    let octets = Self.hkdf(key, salt, info, count * 32)
    return (0..<count).map { Array(octets[$0 * 32..<$0 * 32 + 32]) }
  }

  static func hkdf(_ key: [UInt8], _ salt: [UInt8], _ info: [UInt8], _ count: Int) -> [UInt8] {
    guard let secret = try? SecretBytes(copying: key.span),
      let derived = try? HKDF.sha256(
        inputKey: secret, salt: salt.span, info: info.span, count: count)
    else { fatalError("no memory") }
    return derived.withBytes { copy($0) }
  }

  private static let known = Mutex<[[UInt8]: [UInt8]]>([:])

  /// ECDH, once for each pair of keys.
  private static func shared(_ own: P256PrivateKey, _ other: P256PublicKey) -> [UInt8] {
    let name = own.publicKey.x + other.x
    if let shared = known.withLock({ $0[name] }) { return shared }
    guard let secret = try? own.sharedSecret(with: other) else { fatalError("no memory") }
    let shared = secret.withBytes { copy($0) }
    known.withLock { $0[name] = shared }
    return shared
  }
}
