import AccessPolicy
package import VaultCrypto
package import WireCoding

/// A namespace's public key as a caller gets it.
package struct PublicKeyAnswer: Sendable {
  /// What the key is for.
  package let purpose: KeyPurpose
  /// Its version, from 1.
  package let version: Int64
  /// Whether this call made it.
  package let isNew: Bool
  /// The key.
  package let key: P256PublicKey
}

/// A key in a list.
package struct KeyListing: Sendable {
  /// What the key is for.
  package let purpose: KeyPurpose
  /// Its version, from 1.
  package let version: Int64
  /// When it was made, Unix seconds.
  package let created: Int64
}

/// What a signing key is asked to sign.
package enum SignedContent: Sendable {
  /// A message, hashed with SHA-256 by the vault.
  case message([UInt8])
  /// A SHA-256 digest, 32 octets.
  case digest([UInt8])
}

/// A signature of a caller-chosen content.
package struct SignatureAnswer: Sendable {
  /// The signature.
  package let signature: P256Signature
  /// The version of the key that made it.
  package let version: Int64
}

extension SignedContent {
  /// The digest that is signed.
  fileprivate var digest: [UInt8] {
    switch self {
    case .message(let message): SHA256.hash(message.span)
    case .digest(let digest): digest
    }
  }
}

extension VaultWorker {
  /// Gives out the public key of a namespace, making namespace and key on first use.
  ///
  /// The same key is given for ever, also when many callers ask for a new one at once: whichever
  /// change comes first in the committer makes it, the others find it. A namespace that is not there
  /// is made only for a caller who may make it by `namespace.create`.
  package func publicKey(
    _ name: NamespaceName, _ purpose: KeyPurpose, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: PublicKeyAnswer, sequence: Int64)>
  ) {
    let entry = AuditEntry("key.public", by: subject, namespace: name)
    do throws(VaultError) {
      let namespace = try open(name)
      if let known = namespace.keys[purpose] {
        let key = try known.get()
        let answer = PublicKeyAnswer(
          purpose: purpose, version: key.version, isNew: false, key: key.key.publicKey)
        return release(answer, entry, resting: namespace.fence(key), reply)
      }
    } catch {
      guard error.code == .notFound,
        vault.authority.denial(of: "namespace.create", .namespace(name), by: subject) == nil
      else { return refuse(entry, error, reply) }
    }
    makeKey(name, purpose, entry, reply)
  }

  private func makeKey(
    _ name: NamespaceName, _ purpose: KeyPurpose, _ entry: AuditEntry,
    _ reply: @escaping Answer<(value: PublicKeyAnswer, sequence: Int64)>
  ) {
    let fresh: P256PrivateKey
    do {
      // Made here, so that the committer's thread only stores it; a race lost wipes it.
      fresh = try P256PrivateKey.generate()
    } catch {
      let busy = VaultError(.busy, "no locked memory is left for another key", retry: true)
      return refuse(entry, busy, reply)
    }
    change(entry, reply) { context throws(VaultError) in
      try context.publicKey(name, purpose, orStore: fresh)
    }
  }

  /// Lists the keys of a namespace.
  package func listKeys(
    _ name: NamespaceName, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: [KeyListing], sequence: Int64)>
  ) {
    let entry = AuditEntry("key.list", by: subject, namespace: name)
    do throws(VaultError) {
      let namespace = try open(name)
      var keys: [KeyListing] = []
      for purpose in KeyPurpose.allCases {
        guard let key = try namespace.keys[purpose]?.get() else { continue }
        keys.append(
          KeyListing(purpose: purpose, version: key.version, created: key.created))
      }
      release(keys, entry, resting: namespace.fence(), reply)
    } catch {
      refuse(entry, error, reply)
    }
  }

  /// Signs content of the caller's choice, with a key of purpose `signing` and no other.
  package func sign(
    _ name: NamespaceName, _ content: SignedContent, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: SignatureAnswer, sequence: Int64)>
  ) {
    var entry = AuditEntry("key.sign", by: subject, namespace: name)
    do throws(VaultError) {
      let namespace = try open(name)
      try namespace.checkUsable()
      let key = try namespace.key(.signing)
      let digest = content.digest
      entry.detailDigest = BLAKE2b.hash(digest.span)
      let signature: P256Signature
      do throws(VaultCryptoError) {
        signature = try key.key.signature(digest: digest.span)
      } catch {
        throw VaultError(.busy, "the signature could not be made: try again", retry: true)
      }
      let answer = SignatureAnswer(signature: signature, version: key.version)
      release(answer, entry, resting: namespace.fence(key), reply)
    } catch {
      refuse(entry, error, reply)
    }
  }
}

extension CommitContext {
  /// Finds the key of a purpose, or stores a fresh one where there is none, in a namespace that is made
  /// if need be and if the caller may.
  fileprivate func publicKey(
    _ name: NamespaceName, _ purpose: KeyPurpose, orStore fresh: P256PrivateKey
  ) throws(VaultError) -> PublicKeyAnswer {
    let known = try living(name)
    let namespace: NamespaceEntry
    if let known {
      namespace = known
    } else {
      guard denial(of: "namespace.create", .namespace(name)) == nil else {
        throw VaultError(LedgerError.namespaceMissing)
      }
      namespace = try create(name)
    }
    var versions = namespace.keyVersions
    if versions[purpose] > 0 {
      let identifier = KeyRecord.identifier(purpose, version: versions[purpose])
      let found = try ledger { writer throws(LedgerError) in
        try writer.contents(of: name).open(.key, identifier)
      }
      // That there is none is proven: the key was erased, and the next one gets a new version.
      if let found {
        let known = try KeyRecord(opening: found)
        entry.keyVersion = known.version
        return PublicKeyAnswer(
          purpose: purpose, version: known.version, isNew: false, key: known.key.publicKey)
      }
    }
    guard namespace.state != .suspended else { throw .suspended }
    versions[purpose] += 1
    let record = KeyRecord(
      purpose: purpose, version: versions[purpose], created: now, key: fresh)
    let content = try record.encode()
    let identifier = KeyRecord.identifier(purpose, version: record.version)
    let stored = try ledger { writer throws(LedgerError) in
      try writer.put(content, .key, identifier, in: name)
      return try writer.setKeyVersions(versions, name, at: now)
    }
    changed(stored)
    entry.keyVersion = record.version
    return PublicKeyAnswer(
      purpose: purpose, version: record.version, isNew: true, key: fresh.publicKey)
  }

  /// Makes a namespace.
  func create(_ name: NamespaceName) throws(VaultError) -> NamespaceEntry {
    let made = try ledger { writer throws(LedgerError) in
      try writer.createNamespace(named: name, at: now)
    }
    changed(made)
    return made
  }
}
