package import AliroEngine
import VaultCrypto
package import WireCoding

/// What is known of a stored pass; nothing of it is secret.
package struct PassDescription: Sendable {
  /// The access document's times.
  package let document: AccessDocument
  /// SHA-256 of its access document.
  package let digest: [UInt8]
  /// The reader groups it trusts, 16 octets each.
  package let groups: [[UInt8]]
  /// When it was stored, Unix seconds.
  package let stored: Int64
  /// Why it cannot be used now, `nil` when it can.
  package let refusal: Refusal?
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
  package func storePass(
    _ pass: TokenUnlockPass, _ name: NamespaceName, by subject: AuditEntry.Subject,
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
      let description = PassDescription(
        document: validated.document, digest: SHA256.hash(pass.accessDocument.span),
        groups: validated.trust.map(\.groupIdentifier), stored: record.stored, refusal: nil)
      entry.keyVersion = key.version
      entry.detailDigest = description.digest
      let version = key.version
      vault.committer.submit(
        .mutation(entry) { context throws(VaultError) in
          let replaced = try context.store(record, in: name, forKey: version)
          return (pass: description, replaced: replaced)
        } finish: {
          reply($0)
        })
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
      let description = PassDescription(
        document: pass.validated.document, digest: pass.digest, groups: pass.groups,
        stored: pass.stored, refusal: pass.refusal(at: now))
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
    vault.committer.submit(
      .mutation(entry, takesAway: true) { context throws(VaultError) in
        try context.deletePass(name)
      } finish: {
        reply($0)
      })
  }
}

extension CommitContext {
  /// Stores a pass, if the key it was checked against is still the namespace's.
  fileprivate func store(
    _ record: PassRecord, in name: NamespaceName, forKey version: Int64
  ) throws(VaultError) -> Bool {
    guard let namespace = try living(name), namespace.keyVersions.presentation == version,
      try has(.key, KeyRecord.identifier(.presentation, version: version), in: name)
    else {
      throw VaultError(
        .conflict, "the namespace's key changed meanwhile: have a pass issued for the new one")
    }
    let replaced = try has(.pass, PassRecord.identifier, in: name)
    let content = try record.encode()
    _ = try ledger { writer throws(LedgerError) in
      try writer.put(content, .pass, PassRecord.identifier, in: name)
      try writer.setReaderGroups(record.groups, of: name)
    }
    // Sessions that rest on an earlier pass, or on there being none, end.
    try endSessions(of: name)
    return replaced
  }

  fileprivate func deletePass(_ name: NamespaceName) throws(VaultError) -> PassDeletion {
    guard let namespace = try living(name) else {
      throw VaultError(LedgerError.namespaceMissing)
    }
    let version = namespace.keyVersions.presentation
    let identifier = KeyRecord.identifier(.presentation, version: version)
    let hadPass = try ledger { writer throws(LedgerError) in
      try writer.delete(.pass, PassRecord.identifier, in: name)
    }
    let hadKey = try ledger { writer throws(LedgerError) in
      try writer.eraseLookups(of: name)
      return try writer.delete(.key, identifier, in: name)
    }
    guard hadPass || hadKey else { return PassDeletion(hadKey: false, hadPass: false) }
    if hadKey { entry.keyVersion = version }
    try endSessions(of: name)
    markErasure()
    return PassDeletion(hadKey: hadKey, hadPass: hadPass)
  }

  private func has(
    _ kind: RecordKind, _ identifier: String, in name: NamespaceName
  ) throws(VaultError) -> Bool {
    try ledger { writer throws(LedgerError) in
      try writer.contents(of: name).headers.contains { $0.kind == kind && $0.id == identifier }
    }
  }
}

extension VaultError {
  /// What a refused pass means to the caller: the field, and what is wrong with it.
  fileprivate init(pass error: AliroError) {
    guard case .pass(let field, let flaw) = error else {
      self.init(.invalidParameters, "the pass is refused", field: "pass")
      return
    }
    self.init(.invalidParameters, "the pass is refused: \(flaw.words)", field: "pass.\(field)")
  }
}

extension PassFlaw {
  /// The flaw in plain words.
  fileprivate var words: String {
    switch self {
    case .empty: "it is empty"
    case .tooMany(let count): "\(count) entries are more than \(TokenUnlockPass.groupLimit)"
    case .wrongLength(let count): "\(count) octets is not the length it must have"
    case .duplicate: "an earlier group has the same identifier"
    case .notAPoint: "it is not an uncompressed point of P-256"
    case .certificate: "it is not one X.509 certificate with a P-256 key"
    case .certificateKey: "the certificate is for another key than the one sent beside it"
    case .document: "it is not a signed document"
    case .documentType: "it is a document of another type"
    case .credential: "it names another credential's key"
    case .validityReversed: "its validity ends before it begins"
    case .issuerSignature: "it is not signed by the issuer"
    case .mailboxSize(let size): "\(size) is not a size that a mailbox can have"
    case .expired: "it has expired"
    case .allowsNothing: "nothing in it could ever open a door"
    case .schedulesOver: "every schedule in which it would open a door is over"
    }
  }
}
