import AccessPolicy
import NokeEngine
import SecureMemory
import WireCoding

extension CommitContext {
  /// The most locks of a namespace: each change proves the headers of all its records.
  static let lockBound = 256

  /// Stores a pair: the first one of a lock is active, a later one pending.
  ///
  /// - Returns: the pair's place.
  /// - Throws: ``VaultError`` `not_found`, `revoked`, `conflict`, `damaged` or `busy`.
  func store(
    _ grant: NokeGrant, _ fingerprint: String, in name: NamespaceName
  ) throws(VaultError) -> NokeStored {
    guard try living(name) != nil else { throw VaultError(LedgerError.namespaceMissing) }
    guard var record = try noke(grant.mac, in: name) else {
      return try storeFirst(grant, fingerprint, in: name)
    }
    let erased = record.eraseFormer(at: certainlyPast)
    let stored = try record.store(grant.pair, grant.validity, grant.environment, at: now)
    entry.keyVersion = stored.generation.number
    // A backup must not bring back what was allowed before.
    if stored.hasOtherLimits { entry.isRestrictive = true }
    if !stored.isKnown || stored.hasOtherLimits || erased { try put(record, grant.mac, in: name) }
    if erased || stored.replaced { markErasure(isRestrictive: false) }
    return NokeStored(
      generation: stored.generation.number, role: stored.role, isKnown: stored.isKnown,
      fingerprint: fingerprint)
  }

  private func storeFirst(
    _ grant: NokeGrant, _ fingerprint: String, in name: NamespaceName
  ) throws(VaultError) -> NokeStored {
    let locks = try ledger { writer throws(LedgerError) in
      try writer.contents(of: name).headers.count { $0.kind == .noke }
    }
    guard locks < Self.lockBound else {
      throw VaultError(
        .conflict, "the namespace has as many locks as it can have: use another one",
        field: "namespace")
    }
    let record = NokeRecord(grant.pair, grant.validity, grant.environment, at: now)
    entry.keyVersion = record.active.number
    try put(record, grant.mac, in: name)
    return NokeStored(
      generation: record.active.number, role: .active, isKnown: false, fingerprint: fingerprint)
  }

  /// Makes a packet and remembers it, or makes it once more.
  ///
  /// It is made here, of the record as the transaction has it, so that nothing comes between what is
  /// decided and what is computed. It reaches the caller when the transaction is durable.
  ///
  /// - Throws: ``VaultError`` `not_found`, `revoked`, `key_unusable`, `expired`, `not_yet_valid`,
  ///   `clock_uncertain`, `conflict`, `rate_limited`, `damaged` or `busy`.
  func unlock(
    _ request: NokeUnlockRequest, _ mac: NokeMAC, in name: NamespaceName,
    limitedBy wait: (NamespaceID) -> Int64
  ) throws(VaultError) -> NokeUnlocking {
    let namespace = try living(name)
    guard let namespace else { throw VaultError(LedgerError.namespaceMissing) }
    guard namespace.state != .suspended else { throw .suspended }
    var record = try existing(mac, in: name)
    let uid = entry.subject.caller.uid
    if let use = try record.repeated(request, by: uid) {
      guard let found = record.pair(use.generation) else {
        throw VaultError(
          .keyUnusable, "the pair that had made this packet was erased: connect to the lock anew",
          field: "session")
      }
      return try packet(found, use, request.session, isRepeated: true)
    }
    let found = try record.select(
      request.role, at: now, isClockUncertain: isClockUncertain)
    try found.generation.check(at: now, isClockUncertain: isClockUncertain)
    let pause = wait(namespace.id)
    guard pause == 0 else {
      throw VaultError(
        .rateLimited, "this lock was asked for too many packets: wait and send it again",
        field: "mac", retry: true, retryAfter: pause)
    }
    let use = NokeUse(
      user: uid, session: request.session.octets, generation: found.generation.number, time: now,
      isEmbedded: request.embedsTime, role: request.role, request: request.identity(of: uid))
    let answer = try packet(found, use, request.session, isRepeated: false)
    record.note(use)
    if record.eraseFormer(at: certainlyPast) { markErasure(isRestrictive: false) }
    try put(record, mac, in: name)
    return answer
  }

  private func packet(
    _ found: (role: NokeRole, generation: NokeGeneration), _ use: NokeUse, _ session: NokeSession,
    isRepeated: Bool
  ) throws(VaultError) -> NokeUnlocking {
    let generation = found.generation
    entry.keyVersion = generation.number
    try generation.check(at: now, isClockUncertain: isClockUncertain)
    let time = Timestamp(clamping: use.time)
    let packet: NokePacket
    do throws(NokeError) {
      packet = try NokePacket.make(
        pair: generation.pair.pair, session: session, embedding: use.isEmbedded ? time : nil)
    } catch {
      throw VaultError(error)
    }
    return NokeUnlocking(
      packet: packet, time: time, isEmbedded: use.isEmbedded,
      batteryMillivolts: session.batteryMillivolts, generation: generation.number,
      role: found.role, isRepeated: isRepeated)
  }

  /// Takes note of what a lock has answered, which may make its pending pair the active one.
  ///
  /// - Throws: ``VaultError`` `not_found`, `revoked`, `damaged` or `busy`.
  func report(
    _ response: NokeResponse, of session: NokeSession, _ mac: NokeMAC, in name: NamespaceName
  ) throws(VaultError) -> NokeReported {
    var record = try change(mac, in: name)
    let reported = try record.report(response, of: session, at: now)
    entry.keyVersion = reported.generation
    if reported.isPromoted { entry.isRestrictive = true }
    let erased = record.eraseFormer(at: certainlyPast)
    if erased { markErasure(isRestrictive: false) }
    if reported.hasChanged || erased { try put(record, mac, in: name) }
    return NokeReported(
      generation: reported.generation, isPromoted: reported.isPromoted, isStale: reported.isStale)
  }

  /// Makes the pending pair of a lock the active one.
  ///
  /// - Throws: ``VaultError`` `not_found`, `revoked`, `expired`, `not_yet_valid`, `damaged` or `busy`.
  func promote(_ mac: NokeMAC, in name: NamespaceName) throws(VaultError) -> NokeRotated {
    var record = try change(mac, in: name)
    try record.promote(at: now)
    entry.isRestrictive = true
    return try rotated(record, mac, in: name)
  }

  /// Makes the former pair of a lock the active one again.
  ///
  /// - Throws: ``VaultError`` `not_found`, `revoked`, `key_unusable`, `damaged` or `busy`.
  func demote(_ mac: NokeMAC, in name: NamespaceName) throws(VaultError) -> NokeRotated {
    var record = try change(mac, in: name)
    try record.demote(at: now)
    return try rotated(record, mac, in: name)
  }

  private func rotated(
    _ record: NokeRecord, _ mac: NokeMAC, in name: NamespaceName
  ) throws(VaultError) -> NokeRotated {
    entry.keyVersion = record.active.number
    try put(record, mac, in: name)
    return NokeRotated(record)
  }

  /// Erases all pairs of a lock.
  ///
  /// - Returns: whether there was one.
  /// - Throws: ``VaultError`` `not_found` for an unknown namespace, `revoked` or `damaged`.
  func deleteNoke(_ mac: NokeMAC, in name: NamespaceName) throws(VaultError) -> Bool {
    guard try living(name) != nil else { throw VaultError(LedgerError.namespaceMissing) }
    let wasThere = try ledger { writer throws(LedgerError) in
      try writer.delete(.noke, NokeRecord.identifier(mac), in: name)
    }
    if wasThere { markErasure() }
    return wasThere
  }

  /// The record of a lock in a namespace that lives.
  private func change(
    _ mac: NokeMAC, in name: NamespaceName
  ) throws(VaultError) -> NokeRecord {
    guard try living(name) != nil else { throw VaultError(LedgerError.namespaceMissing) }
    return try existing(mac, in: name)
  }

  private func existing(
    _ mac: NokeMAC, in name: NamespaceName
  ) throws(VaultError) -> NokeRecord {
    guard let record = try noke(mac, in: name) else { throw .noSuchLock }
    return record
  }

  private func noke(
    _ mac: NokeMAC, in name: NamespaceName
  ) throws(VaultError) -> NokeRecord? {
    guard let found = try open(.noke, NokeRecord.identifier(mac), in: name) else { return nil }
    return try NokeRecord(opening: found)
  }

  private func put(
    _ record: NokeRecord, _ mac: NokeMAC, in name: NamespaceName
  ) throws(VaultError) {
    let content = try record.encode()
    try ledger { writer throws(LedgerError) in
      _ = try writer.put(content, .noke, NokeRecord.identifier(mac), in: name)
    }
  }
}

extension VaultError {
  /// The answer when a namespace has no pair for a lock.
  static let noSuchLock = VaultError(
    .notFound, "the namespace has no pair for this lock: store one first", field: "mac")
}
