import AliroEngine
import SecureMemory
import VaultStore
import WireCoding

/// A namespace with its records opened: all a request needs, without database or data key.
///
/// A record that does not open is kept as its error, so that the others still serve.
final class OpenNamespace: Sendable {
  let entry: NamespaceEntry
  /// The newest key of each purpose that has one.
  let keys: [KeyPurpose: Result<KeyRecord, VaultError>]
  /// The stored pass, `nil` when there is none.
  let pass: Result<StoredPass, VaultError>?
  /// The group resolving keys of the pass, `nil` when there is none.
  let resolvingKeys: Result<GroupResolvingKeys, VaultError>?
  /// What the namespace allows; nothing without a record.
  let settings: Result<NamespaceSettings, VaultError>

  var name: NamespaceName { entry.name }

  /// What an answer made from this namespace rests on.
  ///
  /// - Parameter key: the key that it was made with.
  /// - Returns: the fence.
  func fence(_ key: KeyRecord? = nil) -> Fence {
    Fence(
      namespaceID: entry.id, name: name, generation: entry.generation,
      key: key.map { KeyReference(purpose: $0.purpose, version: $0.version) })
  }

  /// Reads a namespace.
  ///
  /// - Throws: `not_found`, `revoked`, `damaged` or `busy`.
  init(_ name: NamespaceName, from reader: LedgerReader) throws(VaultError) {
    let record: Result<PassRecord, VaultError>?
    do throws(LedgerError) {
      (entry, keys, record, resolvingKeys, settings) = try reader.read {
        snapshot throws(LedgerError) in
        guard let entry = try snapshot.namespace(named: name) else {
          throw .namespaceMissing
        }
        let contents = try snapshot.contents(of: entry)
        let resolvingKeys = Self.open(contents, .readerContext, GroupResolvingKeys.identifier) {
          record throws(VaultError) in try GroupResolvingKeys(opening: record)
        }
        let settings = Self.open(contents, .settings, NamespaceSettings.identifier) {
          record throws(VaultError) in try NamespaceSettings(opening: record)
        }
        return (
          entry, Self.keys(of: entry, contents),
          Self.pass(of: entry, contents, resolvingKeys, snapshot), resolvingKeys,
          settings ?? .success(NamespaceSettings())
        )
      }
    } catch {
      throw VaultError(error)
    }
    // Want of memory is not to be kept as if it were the record's fault.
    for case .failure(let error) in keys.values where error.code == .busy { throw error }
    if case .failure(let error) = resolvingKeys, error.code == .busy { throw error }
    let key = keys[.presentation]
    pass = record.map { record in
      Result { () throws(VaultError) in try StoredPass(record.get(), for: key) }
    }
  }

  /// The newest key of a purpose.
  ///
  /// - Throws: `key_unusable` when the namespace has a key, but of another purpose; `not_found` when
  ///   it has none; `damaged`.
  func key(_ purpose: KeyPurpose) throws(VaultError) -> KeyRecord {
    if let key = keys[purpose] { return try key.get() }
    guard keys.isEmpty else {
      throw VaultError(
        .keyUnusable,
        "the namespace has no key of purpose \(purpose.rawValue), and no other may stand in for it",
        field: "namespace")
    }
    throw VaultError(
      .notFound, "the namespace has no key: make one with key.public", field: "namespace")
  }

  private static func keys(
    of entry: NamespaceEntry, _ contents: borrowing NamespaceContents
  ) -> [KeyPurpose: Result<KeyRecord, VaultError>] {
    var keys: [KeyPurpose: Result<KeyRecord, VaultError>] = [:]
    for purpose in KeyPurpose.allCases {
      let version = entry.keyVersions[purpose]
      guard version > 0 else { continue }
      let identifier = KeyRecord.identifier(purpose, version: version)
      keys[purpose] = open(contents, .key, identifier) { record throws(VaultError) in
        let key = try KeyRecord(opening: record)
        guard key.purpose == purpose, key.version == version else {
          throw VaultError(.damaged, "a key record holds another key")
        }
        return key
      }
    }
    return keys
  }

  /// Opens the pass, which must be what the namespace is found by.
  private static func pass(
    of entry: NamespaceEntry, _ contents: borrowing NamespaceContents,
    _ resolvingKeys: Result<GroupResolvingKeys, VaultError>?, _ snapshot: LedgerSnapshot
  ) -> Result<PassRecord, VaultError>? {
    let record = open(contents, .pass, PassRecord.identifier) { record throws(VaultError) in
      try PassRecord(opening: record)
    }
    // Keys that do not open are damage enough; a pass is shown without them.
    if case .failure = record { return record }
    if case .failure = resolvingKeys { return record }
    do throws(LedgerError) {
      let keys = try? resolvingKeys?.get()
      let found = (try? record?.get())?.found(with: keys)
      try snapshot.check(readerGroups: found ?? [], of: entry)
      return record
    } catch {
      return .failure(VaultError(error))
    }
  }

  /// Opens a record, `nil` when there is none.
  private static func open<Value>(
    _ contents: borrowing NamespaceContents, _ kind: RecordKind, _ id: String,
    _ decode: (borrowing SecretBytes) throws(VaultError) -> Value
  ) -> Result<Value, VaultError>? {
    do throws(LedgerError) {
      guard let record = try contents.open(kind, id) else { return nil }
      return Result { () throws(VaultError) in try decode(record) }
    } catch {
      return .failure(VaultError(error))
    }
  }
}

extension KeyVersions {
  /// The last version given out for a purpose, 0 for none.
  subscript(purpose: KeyPurpose) -> Int64 {
    get { purpose == .presentation ? presentation : signing }
    set {
      if purpose == .presentation { presentation = newValue } else { signing = newValue }
    }
  }
}
