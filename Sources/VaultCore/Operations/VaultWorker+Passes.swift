package import AliroEngine
import VaultCrypto
package import WireCoding

/// What is known of a stored pass; nothing of it is secret.
package struct PassDescription: Sendable {
  /// The access document: its times, its issuer, and what it allows in words.
  package let document: AccessDocument
  /// SHA-256 of its access document.
  package let digest: [UInt8]
  /// The reader groups it trusts, 16 octets each.
  package let groups: [[UInt8]]
  /// Whether the documents' signatures were verified with a key that came with the pass.
  package let isIssuerVerified: Bool
  /// The revocation document that it brings to readers, if any.
  package let revocation: RevocationDocument?
  /// The mailbox of the credential, if it has one.
  package let mailbox: MailboxSettings?
  /// When it was stored, Unix seconds.
  package let stored: Int64
  /// Why it cannot be used now, `nil` when it can.
  package let refusal: Refusal?

  init(_ pass: StoredPass, at time: Int64) {
    document = pass.validated.document
    digest = pass.digest
    groups = pass.groups
    isIssuerVerified = pass.validated.isIssuerVerified
    revocation = pass.validated.revocation
    mailbox = pass.validated.mailbox
    stored = pass.stored
    refusal = pass.refusal(at: time)
  }
}

/// What deleting a pass found.
package struct PassDeletion: Sendable {
  /// Whether there was a key.
  package let hadKey: Bool
  /// Whether there was a pass.
  package let hadPass: Bool
}

extension VaultWorker {
  /// Checks a pass against the namespace's key and keeps it in the place of an earlier one.
  ///
  /// One that could never open a door, or whose revocation document could never change a reader's
  /// list, is refused, with the reason.
  ///
  /// - Parameters:
  ///   - pass: the pass.
  ///   - resolvingKeys: the group resolving keys that came with it.
  ///   - name: the namespace.
  ///   - subject: who asks.
  ///   - reply: given the pass as it was stored, and whether there was one before.
  package func storePass(
    _ pass: TokenUnlockPass, resolvingKeys: [GroupResolvingKey] = [], _ name: NamespaceName,
    by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: (pass: PassDescription, replaced: Bool), sequence: Int64)>
  ) {
    var entry = AuditEntry("pass.store", by: subject, namespace: name)
    do throws(VaultError) {
      let namespace = try open(name)
      let key = try namespace.key(.presentation)
      let validated: ValidatedPass
      do { validated = try pass.validate(for: key.key.publicKey) } catch {
        throw VaultError(pass: error)
      }
      let record = PassRecord(pass, stored: now)
      if let flaw = validated.hopelessness(at: Timestamp(clamping: record.stored)) {
        throw VaultError(pass: flaw)
      }
      let resolving = try GroupResolvingKeys(resolvingKeys, of: record.groups)
      let description = PassDescription(StoredPass(record, validated), at: record.stored)
      entry.keyVersion = key.version
      entry.detailDigest = description.digest
      let version = key.version
      change(entry, reply) { context throws(VaultError) in
        let replaced = try context.store(record, resolving, in: name, forKey: version)
        return (pass: description, replaced: replaced)
      }
    } catch {
      refuse(entry, error, reply)
    }
  }

  /// Describes the pass of a namespace.
  package func describePass(
    _ name: NamespaceName, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: PassDescription, sequence: Int64)>
  ) {
    let entry = AuditEntry("pass.info", by: subject, namespace: name)
    do throws(VaultError) {
      let namespace = try open(name)
      guard let pass = try namespace.pass?.get() else {
        throw VaultError(
          .passMissing, "the namespace has no pass: store one first", field: "namespace")
      }
      let description = PassDescription(pass, at: now)
      release(description, entry, resting: namespace.fence(), reply)
    } catch {
      refuse(entry, error, reply)
    }
  }

  /// Erases the pass of a namespace and its presentation key, in one transaction.
  package func deletePass(
    _ name: NamespaceName, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: PassDeletion, sequence: Int64)>
  ) {
    let entry = AuditEntry("pass.delete", by: subject, namespace: name)
    change(entry, takesAway: true, reply) { context throws(VaultError) in
      try context.deletePass(name)
    }
  }
}
