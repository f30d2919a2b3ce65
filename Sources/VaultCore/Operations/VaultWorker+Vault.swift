package import SecureMemory
import Synchronization

/// A secret that opens a slot, on its way to the worker that derives from it.
package final class OpeningSecret: Sendable {
  /// The two kinds.
  package enum Kind: Sendable {
    case passphrase, keyFile
  }

  private let secret: Mutex<UnsealSecret?>

  /// Takes a secret over.
  ///
  /// - Throws: ``VaultError`` when a key is not 32 octets.
  package init(_ kind: Kind, _ octets: consuming SecretBytes) throws(VaultError) {
    switch kind {
    case .passphrase: secret = Mutex(UnsealSecret(passphrase: octets))
    case .keyFile:
      do { secret = Mutex(try UnsealSecret(keyFile: octets)) } catch {
        throw VaultError(.invalidParameters, "a key is 32 octets", field: "key")
      }
    }
  }

  /// Takes the secret out, once.
  func take() throws(VaultError) -> UnsealSecret {
    guard let taken = secret.withLock({ $0.take() }) else {
      throw VaultError(.internal, "a secret was used twice")
    }
    return taken
  }
}

/// What ``VaultWorker/unseal(_:slot:by:_:)`` has opened.
package struct UnsealAnswer: Sendable {
  /// The slot.
  package let slot: Int64
  /// Its kind.
  package let kind: SlotKind
}

extension VaultWorker {
  /// Opens the vault; the derivation happens on the thread for slow changes, one attempt at a time.
  package func unseal(
    _ secret: OpeningSecret, slot: Int64?, checkpoint: AuditCheckpoint? = nil,
    by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: UnsealAnswer, sequence: Int64)>
  ) {
    vault.unseal(secret, slot: slot, checkpoint: checkpoint, by: subject, reply)
  }

  /// Closes the vault; the answer comes when the keys are gone.
  package func seal(by subject: AuditEntry.Subject, _ reply: @escaping Answer<Int64>) {
    let entry = AuditEntry("seal", by: subject)
    guard vault.isUnsealed else { return refuse(entry, .sealed, reply) }
    vault.committer.submit(.seal(entry) { reply($0) })
  }

  /// Lists the slots.
  package func listSlots(
    by subject: AuditEntry.Subject, _ reply: @escaping Answer<[SlotListing]>
  ) {
    let entry = AuditEntry("slot.list", by: subject)
    do throws(VaultError) {
      let slots = try read { snapshot throws(LedgerError) in try snapshot.slots() }
      vault.answer(slots, entry, reply)
    } catch {
      refuse(entry, error, reply)
    }
  }

  /// Adds a slot for a secret.
  package func addSlot(
    _ secret: OpeningSecret, label: String, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: Int64, sequence: Int64)>
  ) {
    let entry = AuditEntry("slot.add", by: subject)
    let created = now
    changeSlowly(entry, reply) { vault throws(VaultError) in
      let opening = try secret.take()
      let slot: PreparedSlot
      do throws(LedgerError) {
        slot = try vault.ledger.prepareSlot(opening, label: label, created: created)
      } catch { throw VaultError(error) }
      vault.committer.submit(
        .mutation(entry) { context throws(VaultError) in
          try context.ledger { writer throws(LedgerError) in try writer.addSlot(slot) }
        } finish: {
          reply($0)
        })
    }
  }

  /// Removes a slot; the last one stays.
  package func removeSlot(
    _ slot: Int64, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: Void, sequence: Int64)>
  ) {
    vault.committer.submit(
      .mutation(AuditEntry("slot.remove", by: subject), takesAway: true) {
        context throws(VaultError) in
        try context.ledger { writer throws(LedgerError) in try writer.removeSlot(slot) }
        context.markErasure()
      } finish: {
        reply($0)
      })
  }
}

extension Vault {
  /// Opens the vault with a secret, from any thread.
  ///
  /// - Parameters:
  ///   - secret: the secret.
  ///   - slot: the only slot to try.
  ///   - checkpoint: one that was kept elsewhere, which the audit log must go on from.
  ///   - subject: who asks.
  ///   - reply: told of the end.
  package func unseal(
    _ secret: OpeningSecret, slot: Int64?, checkpoint: AuditCheckpoint? = nil,
    by subject: AuditEntry.Subject,
    _ reply: @escaping VaultWorker.Answer<(value: UnsealAnswer, sequence: Int64)>
  ) {
    let entry = AuditEntry("unseal", by: subject)
    do throws(VaultError) {
      guard ledger.unsealed == nil else {
        throw VaultError(.conflict, "the vault is unsealed already")
      }
    } catch {
      return refuse(entry, error, reply)
    }
    do throws(VaultError) {
      try unsealing.enter(now: clock.bootSeconds())
    } catch {
      return turnAway(entry, error, .rateLimited, reply)
    }
    let isTaken = slowChanges.run(for: subject) { [self] in
      do throws(VaultError) {
        let box: MasterKeyBox
        let opening = try secret.take()
        do throws(LedgerError) {
          box = try ledger.openSlot(opening, slot: slot)
        } catch { throw VaultError(error) }
        let answer = UnsealAnswer(slot: box.slot, kind: box.kind)
        committer.submit(
          .unseal(entry, box, checkpoint: checkpoint) { [self] result in
            unsealing.leave(succeeded: true, now: clock.bootSeconds())
            reply(result.map { (answer, $0) })
          })
      } catch {
        unsealing.leave(succeeded: false, now: clock.bootSeconds())
        refuseDurably(entry, error, reply)
      }
    }
    guard !isTaken else { return }
    unsealing.leave(succeeded: true, now: clock.bootSeconds())
    turnAway(entry, .tooMuchWaits, .rateLimited, reply)
  }

  /// Answers with an error, and records it with the next batch.
  func refuse<Value>(
    _ entry: AuditEntry, _ error: VaultError, _ reply: @escaping VaultWorker.Answer<Value>
  ) {
    switch error.code {
    case .sealed: return turnAway(entry, error, .sealed, reply)
    case .forbidden: return turnAway(entry, error, .forbidden, reply)
    case .invalidParameters: return turnAway(entry, error, .malformed, reply)
    default: fail(error, entry, reply)
    }
  }

  /// Answers with an error that costs its caller nothing, and so must not cost a line each time.
  func turnAway<Value>(
    _ entry: AuditEntry, _ error: VaultError, _ kind: DenialKind,
    _ reply: VaultWorker.Answer<Value>
  ) {
    var entry = entry
    entry.code = error.code
    recordDenial(entry, kind)
    reply(.failure(error))
  }

  /// Answers with an error once its line is durable.
  private func refuseDurably<Value>(
    _ entry: AuditEntry, _ error: VaultError, _ reply: @escaping VaultWorker.Answer<Value>
  ) {
    var entry = entry
    entry.code = error.code
    committer.submit(.note(entry) { _ in reply(.failure(error)) })
  }
}
