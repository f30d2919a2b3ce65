import VaultCrypto
import VaultStore

extension VaultError {
  /// What a failure of the ledger means to a caller.
  init(_ error: LedgerError) {
    switch error {
    case .sealed: self = .sealed
    case .damaged(let damage): self.init(.damaged, damage.words)
    case .namespaceMissing:
      self.init(.notFound, "no namespace has this name: create it first", field: "namespace")
    case .namespaceRevoked:
      self.init(
        .revoked, "the namespace was revoked for good: use another name", field: "namespace")
    case .namespaceExists:
      self.init(.conflict, "the namespace exists already", field: "namespace")
    case .slotMissing: self.init(.notFound, "no slot has this number", field: "slot")
    case .lastSlot:
      self.init(.conflict, "the last slot stays: add another one first", field: "slot")
    case .tooManySlots: self.init(.conflict, "there are as many slots as there can be")
    case .tooLarge: self.init(.tooLarge, "this is more than one record can hold")
    case .unseal(let failure): self = .unsealing(failure)
    case .unsupportedFormat:
      self.init(.unsupported, "the vault was written by a newer release: upgrade first")
    case .memory, .crypto(.memoryExhausted):
      self.init(.busy, "no locked memory is left: try again, or raise the limit", retry: true)
    case .keyFile: self.init(.invalidParameters, "this is not a key file")
    case .misuse, .notEmpty, .crypto: self.init(.internal, "the vault failed: see its log")
    case .store(let error): self.init(error)
    }
  }

  /// What a failure of the database or of a file means to a caller.
  init(_ error: StoreError) {
    if case .storageFull = error {
      self = .storageFull
    } else if case .newerSchema = error {
      self.init(.unsupported, "the vault was written by a newer release: upgrade first")
    } else if case .damaged(let damage) = error {
      self.init(.damaged, Damage.database(damage).words)
    } else if case .constraint = error {
      // The index proved that there is no such row.
      self.init(.damaged, "the database holds a row that is not the vault's: restore a backup")
    } else if case .notAVault = error {
      self.init(
        .damaged, "vault.db is missing, or is not the database of a vault: restore a backup")
    } else if case .cannotOpen = error {
      self.init(
        .auditUnavailable,
        "the database cannot be opened: see its permissions, and the limit on open files",
        retry: true)
    } else {
      self = .auditUnavailable
    }
  }

  private static func unsealing(_ failure: UnsealFailure) -> VaultError {
    switch failure {
    case .damagedSlot:
      VaultError(
        .damaged, "the slot is damaged: use another slot, or restore a backup", field: "slot")
    case .wrongSecret: VaultError(.wrongSecret, "no slot opens with this secret")
    case .otherVault: VaultError(.wrongSecret, "the secret belongs to another vault")
    case .noSuchSlot:
      VaultError(.wrongSecret, "there is no slot for this kind of secret", field: "slot")
    }
  }
}

extension Damage {
  /// The damage in plain words.
  package var words: String {
    switch self {
    case .database(.notRegular(let suffix)):
      "vault.db\(suffix) is a link, a pipe or another thing that is no regular file"
    case .database: "the database file or its schema is damaged"
    case .vaultRow: "the row that names the vault is damaged"
    case .stateRow: "the state row is damaged or from another time"
    case .slot(let slot): "slot \(slot) is damaged, missing, or was put back after its removal"
    case .policy: "the policy is damaged or from another time"
    case .indexGroup(let group): "group \(group) of the index is damaged"
    case .indexPage(let page): "page \(page) of the index is damaged"
    case .bucket(let bucket): "bucket \(bucket) of the index is damaged: restore a backup"
    case .recordSet: "a record of the namespace was added, removed or put back: restore a backup"
    case .dataKey: "the data key of the namespace is damaged: restore a backup"
    case .record(_, let kind, _): "a record of kind \(kind) is damaged: restore a backup"
    case .readerGroups:
      "the reader groups that the namespace is found by are not those of its pass: store the pass"
        + " again, or restore a backup"
    case .nameIndex: "the list of names disagrees with the index"
    }
  }
}
