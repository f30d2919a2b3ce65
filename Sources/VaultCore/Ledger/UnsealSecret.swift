package import SecureMemory
import VaultCrypto

/// What opens a slot.
package struct UnsealSecret: ~Copyable, Sendable {
  /// The kind of slot it is for.
  package let kind: SlotKind
  private let octets: SecretBytes

  /// Takes a passphrase, UTF-8.
  package init(passphrase: consuming SecretBytes) {
    kind = .passphrase
    octets = passphrase
  }

  /// Takes the secret of a key file.
  ///
  /// - Throws: ``KeyFileProblem/malformed`` when it is not 32 octets.
  package init(keyFile: consuming SecretBytes) throws(LedgerError) {
    guard keyFile.count == 32 else { throw .keyFile(.malformed) }
    kind = .keyFile
    octets = keyFile
  }

  /// Derives the key of a slot.
  ///
  /// A passphrase goes through Argon2id and takes a second or so; a key file's secret is random
  /// already, and HKDF (RFC 5869) only separates the slots that share it.
  func key(for header: SlotHeader) throws(LedgerError) -> SealingKey {
    guard header.kind == kind else { throw .unseal(.noSuchSlot) }
    do throws(VaultCryptoError) {
      if let parameters = header.parameters {
        return try SealingKey(
          try Argon2id.key(passphrase: octets, salt: header.salt, parameters: parameters))
      }
      let info = Array("latchkey key-file slot 1".utf8)
      return try SealingKey(
        try HKDF.sha256(inputKey: octets, salt: header.salt.span, info: info.span, count: 32))
    } catch {
      throw .crypto(error)
    }
  }
}
