import VaultAPI

extension VaultMethod {
  /// The name as it stands in audit lines, which hold no text but the program's own.
  var word: StaticString {
    switch self {
    case .hello: "hello"
    case .health: "health"
    case .status: "status"
    case .vaultMetrics: "vault.metrics"
    case .unseal: "unseal"
    case .seal: "seal"
    case .slotList: "slot.list"
    case .slotAdd: "slot.add"
    case .slotRemove: "slot.remove"
    case .policyGet: "policy.get"
    case .policySet: "policy.set"
    case .policyExplain: "policy.explain"
    case .auditTail: "audit.tail"
    case .auditExport: "audit.export"
    case .auditCheckpoint: "audit.checkpoint"
    case .auditArchive: "audit.archive"
    case .namespaceCreate: "namespace.create"
    case .namespaceGet: "namespace.get"
    case .namespaceList: "namespace.list"
    case .namespaceConfigure: "namespace.configure"
    case .namespaceSuspend: "namespace.suspend"
    case .namespaceResume: "namespace.resume"
    case .namespaceRevoke: "namespace.revoke"
    case .keyPublic: "key.public"
    case .keyList: "key.list"
    case .keySign: "key.sign"
    case .passStore: "pass.store"
    case .passInfo: "pass.info"
    case .passDelete: "pass.delete"
    case .presentationMatch: "presentation.match"
    case .presentationOpen: "presentation.open"
    case .presentationExchange: "presentation.exchange"
    case .presentationRequest: "presentation.request"
    case .presentationClose: "presentation.close"
    case .presentationSign: "presentation.sign"
    }
  }
}
