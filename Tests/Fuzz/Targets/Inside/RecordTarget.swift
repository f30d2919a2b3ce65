#if DEBUG || LIBFUZZER
  import SecureMemory
  import WireCoding

  @testable import VaultCore

  extension FuzzTarget {
    /// The contents of records once they are unsealed: what is taken is written back alike.
    ///
    /// Input: which kind of record 1 ‖ content.
    static let record = FuzzTarget("record") { input in
      guard input.count > 0 else { return }
      let content = copy(input.extracting(1...))
      let written: SecretBytes?
      switch input[0] % 10 {
      case 0: written = try? KeyRecord(opening: RecordTarget.secret(content)).encode()
      case 1: written = try? PassRecord(opening: RecordTarget.secret(content)).encode()
      case 2: written = try? MailboxRecord(opening: RecordTarget.secret(content)).encode()
      case 3: written = try? NamespaceSettings(opening: RecordTarget.secret(content)).encode()
      case 4: written = try? GroupResolvingKeys(opening: RecordTarget.secret(content)).encode()
      case 7: written = try? NokeRecord(opening: RecordTarget.secret(content)).encode()
      case 8: written = try? FlinkeyTenant(opening: RecordTarget.secret(content)).encode()
      case 9: written = try? FlinkeyUser(opening: RecordTarget.secret(content)).encode()
      case 6:
        let first = content.count > 1 ? content[1] : 0
        written = try? SignedTranscripts(
          opening: RecordTarget.secret(content), startingWith: first
        ).encode()
      default: return RecordTarget.checkPersistentKeys(content)
      }
      guard let written else { return }
      require(written.withBytes { copy($0) } == content, "canonical")
    }
  }

  private enum RecordTarget {
    static func secret(_ octets: [UInt8]) -> SecretBytes {
      guard let secret = try? SecretBytes(copying: octets.span) else { fatalError("no memory") }
      return secret
    }

    /// Persistent keys are found by their reader, and a new one replaces its own reader's or the
    /// oldest.
    static func checkPersistentKeys(_ content: [UInt8]) {
      guard let record = try? PersistentKeyRecord(opening: secret(content)) else { return }
      require(record.content.withBytes { copy($0) } == content, "kept as it came")
      require((1...PersistentKeyRecord.bound).contains(record.count), "some, and not too many")
      let entries = (0..<record.count).map { Array(content[(6 + $0 * 80)..<(86 + $0 * 80)]) }
      for entry in entries {
        let until = entry[40..<48].reduce(0) { $0 << 8 | Int64($1) }
        let reader = Array(entry[..<32])
        let key = Array(entry[48...])
        for time in [until, until &+ 1].compactMap({ Timestamp(seconds: $0) }) {
          let found = find(reader, in: record, record.keyVersion, at: time)
          require(found == (time.seconds <= until ? key : nil), "a key until its end")
        }
        let other = find(reader, in: record, record.keyVersion + 1, at: .earliest)
        require(other == nil, "keys of another version are of no use")
      }
      checkAdding(to: record, entries.map { Array($0[..<32]) })
    }

    private static func find(
      _ reader: [UInt8], in record: borrowing PersistentKeyRecord, _ version: Int64,
      at time: Timestamp
    ) -> [UInt8]? {
      do {
        let key = try record.key(of: reader, keyVersion: version, at: time)
        return key?.withBytes { copy($0) }
      } catch {
        fatalError("no memory")
      }
    }

    private static func checkAdding(
      to record: borrowing PersistentKeyRecord, _ readers: [[UInt8]]
    ) {
      for reader in [readers[0], [UInt8](repeating: 0x5A, count: 32)] {
        do {
          let more = try record.adding(
            secret([UInt8](repeating: 1, count: 32)), for: reader, until: nil,
            keyVersion: record.keyVersion, at: 0)
          let isKnown = readers.contains(reader)
          let expected = min(record.count + (isKnown ? 0 : 1), PersistentKeyRecord.bound)
          require(more.count == expected, "one for each reader")
          let found = find(reader, in: more, record.keyVersion, at: .latest)
          require(found == [UInt8](repeating: 1, count: 32), "the new key is found")
        } catch {
          require(false, "a key can be added")
        }
      }
    }
  }
#endif
