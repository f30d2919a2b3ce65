package import NokeEngine
import SecureMemory
import VaultCrypto
package import WireCoding

// The methods about Nokē locks. All that changes is decided by the committer; what a call leads to is in
// `CommitContext`.
extension VaultWorker {
  /// Keeps a pair for a lock: the first one is active, a later one pending.
  ///
  /// - Parameters:
  ///   - grant: the pair, its lock and its limits.
  ///   - name: the namespace, which must be there.
  ///   - subject: who asks.
  ///   - reply: given the pair's place.
  package func storeNoke(
    _ grant: NokeGrant, _ name: NamespaceName, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: NokeStored, sequence: Int64)>
  ) {
    let entry = line("noke.store", grant.mac, name, subject)
    do throws(VaultError) {
      let fingerprint = try fingerprint(of: grant.pair)
      change(entry, reply) { context throws(VaultError) in
        try context.store(grant, fingerprint, in: name)
      }
    } catch {
      refuse(entry, error, reply)
    }
  }

  /// Makes the packet that opens a lock in one session.
  ///
  /// - Parameters:
  ///   - request: the session, and which packet.
  ///   - mac: the lock.
  ///   - name: the namespace.
  ///   - subject: who asks.
  ///   - reply: given the packet when the session is noted and the line durable.
  package func unlockNoke(
    _ request: NokeUnlockRequest, _ mac: NokeMAC, _ name: NamespaceName,
    by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: NokeUnlocking, sequence: Int64)>
  ) {
    var entry = line("noke.unlock", mac, name, subject)
    entry.detailDigest = BLAKE2b.hash(request.session.octets.span)
    let (rates, clock) = (vault.nokeRates, vault.clock)
    change(entry, reply) { context throws(VaultError) in
      try context.unlock(request, mac, in: name) { namespace in
        rates.take(mac, in: namespace, at: clock.bootMilliseconds())
      }
    }
  }

  /// Takes note of what a lock has answered to a packet.
  ///
  /// - Parameters:
  ///   - response: the answer.
  ///   - session: the session that the packet was for.
  ///   - mac: the lock.
  ///   - name: the namespace.
  ///   - subject: who asks.
  ///   - reply: given what came of it; `not_found` for a session that had no packet.
  package func reportNoke(
    _ response: NokeResponse, of session: NokeSession, _ mac: NokeMAC, _ name: NamespaceName,
    by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: NokeReported, sequence: Int64)>
  ) {
    var entry = line("noke.report", mac, name, subject)
    entry.detailDigest = BLAKE2b.hash(session.octets.span)
    entry.reported = response
    change(entry, reply) { context throws(VaultError) in
      try context.report(response, of: session, mac, in: name)
    }
  }

  /// Makes the pending pair of a lock the active one.
  package func promoteNoke(
    _ mac: NokeMAC, _ name: NamespaceName, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: NokeRotated, sequence: Int64)>
  ) {
    change(line("noke.promote", mac, name, subject), reply) { context throws(VaultError) in
      try context.promote(mac, in: name)
    }
  }

  /// Makes the former pair of a lock the active one again.
  package func demoteNoke(
    _ mac: NokeMAC, _ name: NamespaceName, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: NokeRotated, sequence: Int64)>
  ) {
    change(line("noke.demote", mac, name, subject), reply) { context throws(VaultError) in
      try context.demote(mac, in: name)
    }
  }

  /// Erases all pairs of a lock, and what is remembered of their packets.
  package func deleteNoke(
    _ mac: NokeMAC, _ name: NamespaceName, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: Bool, sequence: Int64)>
  ) {
    change(line("noke.delete", mac, name, subject), takesAway: true, reply) {
      context throws(VaultError) in
      try context.deleteNoke(mac, in: name)
    }
  }

  func line(
    _ method: StaticString, _ mac: NokeMAC?, _ name: NamespaceName, _ subject: AuditEntry.Subject
  ) -> AuditEntry {
    var entry = AuditEntry(method, by: subject, namespace: name)
    entry.lock = mac
    return entry
  }

  /// What tells a pair apart in this vault.
  func fingerprint(of pair: SharedNokePair) throws(VaultError) -> String {
    guard let unsealed = vault.ledger.unsealed else { throw .sealed }
    do throws(NokeError) {
      return try pair.pair.fingerprint(key: unsealed.keys.lookup)
    } catch {
      throw VaultError(error)
    }
  }
}
