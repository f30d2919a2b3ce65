package import NokeEngine

extension VaultError {
  /// What the engine's refusal means to a caller.
  package init(_ error: NokeError) {
    switch error {
    case .parameter(let field, let due):
      self.init(.invalidParameters, "\(field) must be \(due)", field: field)
    case .damaged: self = .damagedNoke
    case .crypto(let error): self.init(LedgerError.crypto(error))
    }
  }

  /// The answer when a lock's record is not what the vault writes.
  static let damagedNoke = VaultError(
    .damaged, "a record of a Nokē lock does not hold one: restore a backup")
}
