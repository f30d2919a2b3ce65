package import NokeEngine
import SecureMemory
package import WireCoding

extension VaultWorker {
  /// Describes the pairs of a lock.
  ///
  /// - Parameters:
  ///   - mac: the lock.
  ///   - name: the namespace.
  ///   - subject: who asks.
  ///   - reply: given what is known of the lock, which is nothing secret.
  package func describeNoke(
    _ mac: NokeMAC, _ name: NamespaceName, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: NokeDescription, sequence: Int64)>
  ) {
    let entry = line("noke.info", mac, name, subject)
    do throws(VaultError) {
      let namespace = try open(name)
      let record = try read(namespace) { contents throws(VaultError) -> NokeRecord? in
        let found: SecretBytes?
        do throws(LedgerError) {
          found = try contents.open(.noke, NokeRecord.identifier(mac))
        } catch {
          throw VaultError(error)
        }
        guard let found else { return nil }
        return try NokeRecord(opening: found)
      }
      guard let record else { throw .noSuchLock }
      release(try describe(record, mac), entry, resting: namespace.fence(), reply)
    } catch {
      refuse(entry, error, reply)
    }
  }

  /// Lists the locks of a namespace.
  ///
  /// - Parameters:
  ///   - name: the namespace.
  ///   - subject: who asks.
  ///   - reply: given the locks, ascending; at most ``CommitContext/lockBound``.
  package func listNoke(
    _ name: NamespaceName, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<(value: [NokeMAC], sequence: Int64)>
  ) {
    let entry = line("noke.info", nil, name, subject)
    do throws(VaultError) {
      let namespace = try open(name)
      let locks = try read(namespace) { contents throws(VaultError) in
        var locks: [NokeMAC] = []
        for header in contents.headers where header.kind == .noke {
          guard let mac = try? NokeMAC(header.id) else { throw .damagedNoke }
          locks.append(mac)
        }
        return locks
      }
      release(locks, entry, resting: namespace.fence(), reply)
    } catch {
      refuse(entry, error, reply)
    }
  }

  private func describe(
    _ record: NokeRecord, _ mac: NokeMAC
  ) throws(VaultError) -> NokeDescription {
    let reading = vault.committer.clockReading
    var pairs: [NokePairDescription] = []
    for (role, generation) in record.pairs {
      var refusal: VaultError.Code?
      do throws(VaultError) {
        try generation.check(at: reading.time, isClockUncertain: reading.isUncertain)
      } catch {
        refusal = error.code
      }
      pairs.append(
        NokePairDescription(
          generation: generation.number, role: role,
          fingerprint: try fingerprint(of: generation.pair), stored: generation.stored,
          retired: generation.retired, validity: generation.validity, isStale: generation.isStale,
          successes: generation.successes, refusal: refusal))
    }
    return NokeDescription(mac: mac, environment: record.environment, pairs: pairs)
  }

  /// Reads the records of a namespace that was opened.
  private func read<Value>(
    _ namespace: OpenNamespace,
    _ body: (borrowing NamespaceContents) throws(VaultError) -> Value
  ) throws(VaultError) -> Value {
    let reader = try ledgerReader()
    let outcome: Result<Value, VaultError>
    do throws(LedgerError) {
      outcome = try reader.read { snapshot throws(LedgerError) in
        // A name can be another namespace's after a restore alone, but that costs nothing to see.
        guard let entry = try snapshot.namespace(named: namespace.name),
          entry.id == namespace.entry.id
        else { throw .namespaceRevoked }
        let contents = try snapshot.contents(of: entry)
        return Result { () throws(VaultError) in try body(contents) }
      }
    } catch {
      throw VaultError(error)
    }
    return try outcome.get()
  }
}
