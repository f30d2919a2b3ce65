import SecureMemory
package import VaultCrypto
package import VaultStore

/// One way to the master key, as it is stored.
///
/// `header ‖ nonce ‖ box ‖ checksum`, each field with its length: the checksum (BLAKE2b-256 over all
/// before it) tells damage from a wrong secret; the box holds the master key with the header as
/// associated data; the vault's key check then tells another vault's slot.
package struct UnsealSlot: Sendable {
  /// What the slot says openly.
  package let header: SlotHeader
  private let associatedData: [UInt8]
  private let sealed: Sealed
  /// The row it was read from.
  let row: SlotRow

  /// Reads a slot.
  ///
  /// - Throws: ``UnsealFailure/damagedSlot`` when its checksum is wrong,
  ///   ``LedgerError/unsupportedFormat(_:)``.
  package init(_ row: SlotRow) throws(LedgerError) {
    let body = row.body
    let end = body.count - 36
    guard end > 0, BLAKE2b.hash(body.span.extracting(0..<end)).elementsEqual(body[(end + 4)...]),
      var decoder = CanonicalDecoder("latchkey slot", body)
    else { throw .unseal(.damagedSlot) }
    header = try SlotHeader(&decoder)
    associatedData = [UInt8](body[..<decoder.position])
    guard let nonce = decoder.octets(count: 24), let box = decoder.octets(count: 48),
      decoder.octets(count: 32) != nil, decoder.isAtEnd
    else { throw .unseal(.damagedSlot) }
    sealed = Sealed(nonce: nonce, box: box)
    self.row = row
  }

  /// Opens the slot.
  ///
  /// - Throws: ``UnsealFailure/wrongSecret``, or ``LedgerError/crypto(_:)`` without memory.
  package func open(with secret: borrowing UnsealSecret) throws(LedgerError) -> MasterKey {
    let key = try secret.key(for: header)
    do throws(VaultCryptoError) {
      return try MasterKey(
        try key.open(
          nonce: sealed.nonce.span, box: sealed.box.span, associatedData: associatedData.span))
    } catch {
      guard case .authenticationFailed = error else { throw .crypto(error) }
      throw .unseal(.wrongSecret)
    }
  }

  /// Makes the octets of a new slot.
  ///
  /// - Parameters:
  ///   - master: the master key to seal.
  ///   - secret: what shall open it.
  ///   - vaultID: the vault, 16 octets.
  ///   - label: what people call it.
  ///   - created: the time, Unix seconds.
  ///   - parameters: what Argon2id costs, if the secret is a passphrase.
  /// - Returns: the body of the slot's row.
  /// - Throws: ``LedgerError/tooLarge`` for a label over 64 octets, ``LedgerError/crypto(_:)``.
  static func body(
    sealing master: borrowing MasterKey, for secret: borrowing UnsealSecret, vaultID: [UInt8],
    label: String, created: Int64, parameters: Argon2id.Parameters
  ) throws(LedgerError) -> [UInt8] {
    guard label.utf8.count <= SlotHeader.maximumLabel else { throw .tooLarge }
    let header = SlotHeader(
      kind: secret.kind, vaultID: vaultID, label: label, created: created,
      parameters: secret.kind == .passphrase ? parameters : nil, salt: SecureRandom.bytes(16))
    let key = try secret.key(for: header)
    let encoded = header.encoded
    let sealed: Sealed
    do {
      sealed = try master.sealed(with: key, associatedData: encoded.span)
    } catch { throw .crypto(error) }
    var body = CanonicalEncoder(continuing: encoded)
    body.octets(sealed.nonce)
    body.octets(sealed.box)
    body.octets(BLAKE2b.hash(body.bytes.span))
    return body.bytes
  }
}
