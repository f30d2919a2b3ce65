/// A word that stands for the methods of one kind of work.
///
/// This table is the only place that says what a preset grants; `latchkey-policy(5)` repeats it, and
/// a test compares the two.
package enum PolicyPreset: String, CaseIterable, Hashable, Sendable {
  /// Opens doors: all of a presentation, and packets of Nokē locks; nothing about the keys it uses.
  case gateway
  /// Issues and manages access: namespaces, their public keys, passes and pairs of locks.
  case console
  /// Administers the vault: every method but those of a renewer.
  case admin
  /// Makes backups.
  case backup
  /// Reads what happened and who may do what, and changes nothing.
  case auditor
  /// Watches the state and the figures.
  case monitor
  /// Renews flinkey tokens, with secrets that nobody else gets.
  case renewer

  /// The methods it stands for.
  package var patterns: [MethodPattern] {
    switch self {
    case .gateway:
      [
        .method("status"), .group("presentation"), .method("noke.info"), .method("noke.unlock"),
        .method("noke.report"), .method("flinkey.token"), .method("flinkey.box_id"),
      ]
    case .console:
      [
        .method("status"), .method("namespace.create"), .method("namespace.get"),
        .method("namespace.list"), .method("key.public"), .method("key.list"),
        .method("pass.store"), .method("pass.info"), .method("pass.delete"),
        .method("noke.store"), .method("noke.info"), .method("noke.promote"),
        .method("noke.demote"), .method("noke.delete"),
        .group("biqli"),
        .method("flinkey.store"), .method("flinkey.token"), .method("flinkey.block"),
        .method("flinkey.unblock"), .method("flinkey.forget"), .method("flinkey.box_id"),
      ]
    case .admin: [.all]
    case .backup: [.method("status"), .method("audit.checkpoint")]
    case .auditor:
      [
        .method("status"), .method("slot.list"), .method("policy.get"), .method("policy.explain"),
        .method("audit.tail"), .method("audit.export"), .method("audit.checkpoint"),
      ]
    case .monitor: [.method("status"), .method("vault.metrics")]
    case .renewer:
      [
        .method("status"), .method("flinkey.renew.begin"), .method("flinkey.renew.complete"),
        .method("flinkey.box_id"),
      ]
    }
  }
}
