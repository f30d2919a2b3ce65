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
    case .namespaceSuspend(let params):
      worker.setSuspended(
        true, params.namespace, by: call.subject, call.answer { NamespaceStateResult($0) })
    case .namespaceResume(let params):
      worker.setSuspended(
        false, params.namespace, by: call.subject, call.answer { NamespaceStateResult($0) })
    case .namespaceRevoke(let params): revoke(params.target, call)
    default:
      call.fail(RPCError(.internalError))
    }
  }

  private func revoke(_ target: NamespaceRevokeParams.Target, _ call: Call) {
    switch target {
    case .namespace(let name):
      worker.revokeNamespace(
        name, by: call.subject,
        call.answer {
          NamespaceRevokeResult(id: $0.value.bytes, seq: $0.sequence, erasure: .pending)
        })
    case .prefix(let name):
      worker.revokeNamespaces(
        within: name, by: call.subject,
        call.answer {
          NamespaceRevokeResult(
            id: nil, count: Int64($0.value), seq: $0.sequence, erasure: .pending)
        })
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

extension NamespaceStateResult {
  fileprivate init(_ answer: (value: NamespaceStateChange, sequence: Int64)) {
    self.init(
      id: answer.value.entry.id.bytes, state: VaultAPI.NamespaceState(answer.value.entry.state),
      changed: answer.value.isNew, seq: answer.sequence)
  }
}

extension VaultAPI.NamespaceState {
  /// The wire's word for a namespace's state.
  fileprivate init(_ state: VaultCore.NamespaceState) {
    self =
      switch state {
      case .active: .active
      case .suspended: .suspended
      case .tombstone: .revoked
      }
  }
}
