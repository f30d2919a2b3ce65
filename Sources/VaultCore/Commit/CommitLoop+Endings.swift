import AccessPolicy

// What is done for an item when its line is durable, before it is answered.
extension CommitLoop {
  /// Ends an item that ends its batch.
  func conclude(_ item: WorkItem, _ outcome: Result<Int64, VaultError>) {
    switch item.work {
    case .seal: close(item, outcome)
    case .checkpoint(let report): item.finish(outcome.flatMap { sign($0, report) })
    case .archive(_, let report): item.finish(outcome.flatMap { remove($0, report) })
    case .note, .release, .mutate, .unseal: item.finish(outcome)
    }
  }

  /// Forgets the keys, if the right to that was not taken away meanwhile.
  ///
  /// It needs no disk: the keys go whether or not the line could be written.
  private func close(_ item: WorkItem, _ outcome: Result<Int64, VaultError>) {
    let (entry, state) = (item.entry, shared.authority.state)
    guard state.denial(of: entry.method, item.target, by: entry.subject) == nil || state == .sealed
    else { return item.finish(.failure(.forbidden(.withdrawn))) }
    closeLog()
    guard sealKeys() else {
      return item.finish(
        .failure(
          VaultError(.busy, "the vault is sealed, but a computation still holds its keys")))
    }
    item.finish(
      outcome.mapError {
        VaultError($0.code, "the vault is sealed, but the line that says so was not written")
      })
  }

  private func sign(
    _ sequence: Int64, _ report: WorkItem.Report<AuditCheckpoint>
  ) -> Result<Int64, VaultError> {
    guard let made = checkpoint(), made.sequence >= sequence else {
      return .failure(
        VaultError(
          .auditUnavailable,
          "the audit segment cannot be written, so there is no checkpoint: see 'vaultctl status'",
          retry: true))
    }
    report.put(made)
    return .success(sequence)
  }

  private func remove(
    _ sequence: Int64, _ report: WorkItem.Report<Int>
  ) -> Result<Int64, VaultError> {
    do throws(AuditFileError) {
      report.put(try exporter.removePruned())
      return .success(sequence)
    } catch {
      return .failure(
        VaultError(
          .auditUnavailable, "not every segment could be removed: \(error.words); call again",
          retry: true))
    }
  }
}
