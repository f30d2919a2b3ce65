// How a wall clock that is held comes to be believed by itself.
extension CommitLoop {
  /// Believes a clock that is held once the kernel has called it synchronised for some minutes.
  ///
  /// It is watched while the vault is sealed, too; what is believed is recorded once it is not.
  func watchClock() {
    guard floor.read(clock).standing == .held else { return synchronised.forget() }
    guard synchronised.look(clock), ledger.unsealed != nil else { return }
    holdReserve()
    commit([.synchronised()])
  }
}

extension WorkItem {
  /// Believes the wall clock, as the kernel says that it is synchronised.
  fileprivate static func synchronised() -> WorkItem {
    .mutation(AuditEntry("clock.synchronised", by: .daemon)) { context throws(VaultError) in
      try context.acceptClock()
    } finish: { _ in
    }
  }
}
