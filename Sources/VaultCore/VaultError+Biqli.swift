package import BiqliEngine

extension VaultError {
  /// What the engine's refusal means to a caller.
  ///
  /// - Parameter error: the refusal.
  package init(_ error: BiqliError) {
    switch error {
    case .parameter(let field, let due):
      self.init(.invalidParameters, "\(field) must be \(due)", field: field)
    case .conflict(let field):
      self.init(
        .conflict, "the namespace keeps the state of another app: use a namespace for each",
        field: field)
    case .damaged:
      self.init(.damaged, "a biqli record does not hold the state of an installation")
    case .memoryExhausted:
      self.init(.busy, "no locked memory is left: try again", retry: true)
    }
  }
}
