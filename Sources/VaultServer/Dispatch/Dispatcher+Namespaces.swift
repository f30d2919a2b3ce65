import VaultAPI
import VaultCore
import WireCoding

extension Dispatcher {
  func carryOutNamespace(_ request: VaultRequest, _ call: Call) {
    switch request {
    case .namespaceCreate(let params):
      worker.createNamespace(
        params.namespace, by: call.subject,
        call.answer { made in
          NamespaceCreateResult(
            namespace: params.namespace, id: made.value.entry.id.bytes,
            created: made.value.isNew, seq: made.sequence)
        })
    case .namespaceGet(let params):
      worker.describeNamespace(
        params.namespace, by: call.subject, call.answer { NamespaceGetResult($0) })
    case .namespaceList(let params):
      worker.listNamespaces(
        prefix: params.prefix?.rawValue ?? "", after: params.after, limit: Int(params.limit),
        by: call.subject, call.answer { NamespaceListResult($0) })
    case .namespaceConfigure(let params):
      worker.configureNamespace(
        params.namespace, userConfirmation: params.userConfirmation, by: call.subject,
        call.answer { NamespaceConfigureResult(seq: $0.sequence) })
    case .namespaceRevoke(let params):
      worker.revokeNamespace(
        params.namespace, by: call.subject,
        call.answer {
          NamespaceRevokeResult(id: $0.value.bytes, seq: $0.sequence, erasure: .pending)
        })
    default:
      call.fail(RPCError(.internalError))
    }
  }
}

extension NamespaceGetResult {
  fileprivate init(_ namespace: NamespaceDescription) {
    self.init(
      namespace: namespace.entry.name, id: namespace.entry.id.bytes,
      state: VaultAPI.NamespaceState(namespace.entry.state),
      generation: namespace.entry.generation,
      created: Timestamp(clamping: namespace.entry.created),
      keys: namespace.keys.map {
        KeySummary(purpose: $0.purpose.rawValue, version: $0.version, state: .active)
      },
      pass: namespace.hasPass, userConfirmation: namespace.allowsUserConfirmation)
  }
}

extension NamespaceListResult {
  fileprivate init(_ page: NamespacePage) {
    self.init(
      namespaces: page.entries.map {
        VaultAPI.NamespaceEntry(
          namespace: $0.name, id: $0.id.bytes, state: VaultAPI.NamespaceState($0.state))
      },
      next: page.next.flatMap { try? NamespaceName($0) })
  }
}

extension VaultAPI.NamespaceState {
  /// The wire's word for a namespace's state; nothing suspends one yet.
  fileprivate init(_ state: VaultCore.NamespaceState) {
    self = state == .tombstone ? .revoked : .active
  }
}
