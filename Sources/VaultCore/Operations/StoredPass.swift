import AliroEngine
import VaultCrypto
import WireCoding

/// A pass as it serves presentations: stored, opened and checked again.
struct StoredPass: Sendable {
  /// When it was stored, Unix seconds.
  let stored: Int64
  /// SHA-256 of its access document, which names this pass.
  let digest: [UInt8]
  let validated: ValidatedPass

  /// Checks a pass that was opened against the key it must be for.
  ///
  /// - Throws: ``VaultError`` `damaged` when it no longer fits.
  init(_ record: PassRecord, for key: Result<KeyRecord, VaultError>?) throws(VaultError) {
    guard let key else { throw VaultError(.damaged, "a pass is stored without its key") }
    let publicKey = try key.get().key.publicKey
    let validated: ValidatedPass
    do {
      validated = try record.pass.validate(for: publicKey)
    } catch {
      throw VaultError(.damaged, "the stored pass does not fit its key")
    }
    self.init(record, validated)
  }

  /// Takes a pass that was just checked.
  init(_ record: PassRecord, _ validated: ValidatedPass) {
    self.validated = validated
    stored = record.stored
    digest = SHA256.hash(record.pass.accessDocument.span)
  }

  /// The group identifiers of the readers it trusts.
  var groups: [[UInt8]] { validated.trust.map(\.groupIdentifier) }

  /// Why it cannot be used at this time, `nil` when it can.
  func refusal(at time: Int64) -> Refusal? {
    validated.refusal(at: Timestamp(clamping: time))
  }
}
