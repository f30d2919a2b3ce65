/// The methods of the protocol, by the name they have on the wire.
public enum VaultMethod: String, CaseIterable, Hashable, Sendable {
  case hello
  case health
  case status
  case vaultMetrics = "vault.metrics"
  case unseal
  case seal
  case slotList = "slot.list"
  case slotAdd = "slot.add"
  case slotRemove = "slot.remove"
  case clockAccept = "clock.accept"
  case clockSetFloor = "clock.set_floor"
  case policyGet = "policy.get"
  case policySet = "policy.set"
  case policyExplain = "policy.explain"
  case auditTail = "audit.tail"
  case auditExport = "audit.export"
  case auditCheckpoint = "audit.checkpoint"
  case auditArchive = "audit.archive"
  case namespaceCreate = "namespace.create"
  case namespaceGet = "namespace.get"
  case namespaceList = "namespace.list"
  case namespaceConfigure = "namespace.configure"
  case namespaceSuspend = "namespace.suspend"
  case namespaceResume = "namespace.resume"
  case namespaceRevoke = "namespace.revoke"
  case keyPublic = "key.public"
  case keyList = "key.list"
  case keySign = "key.sign"
  case passStore = "pass.store"
  case passInfo = "pass.info"
  case passDelete = "pass.delete"
  case presentationMatch = "presentation.match"
  case presentationOpen = "presentation.open"
  case presentationExchange = "presentation.exchange"
  case presentationRequest = "presentation.request"
  case presentationClose = "presentation.close"
  case presentationSign = "presentation.sign"
  case nokeStore = "noke.store"
  case nokeInfo = "noke.info"
  case nokeUnlock = "noke.unlock"
  case nokeReport = "noke.report"
  case nokePromote = "noke.promote"
  case nokeDemote = "noke.demote"
  case nokeDelete = "noke.delete"
  case biqliOpen = "biqli.open"
  case biqliInstance = "biqli.instance"
  case biqliCapture = "biqli.capture"
  case biqliBegin = "biqli.begin"
  case biqliComplete = "biqli.complete"
  case biqliFail = "biqli.fail"
  case biqliCached = "biqli.cached"
  case biqliWindow = "biqli.window"
  case biqliReset = "biqli.reset"
  case biqliPending = "biqli.pending"
  case biqliDrop = "biqli.drop"
  case flinkeyStore = "flinkey.store"
  case flinkeyToken = "flinkey.token"
  case flinkeyRenewBegin = "flinkey.renew.begin"
  case flinkeyRenewComplete = "flinkey.renew.complete"
  case flinkeyBlock = "flinkey.block"
  case flinkeyUnblock = "flinkey.unblock"
  case flinkeyForget = "flinkey.forget"
  case flinkeyBoxID = "flinkey.box_id"

  /// The name on the wire.
  public var name: String { rawValue }

  /// Whether only the admin socket serves it; the client socket answers `forbidden`.
  public var isAdminOnly: Bool {
    switch self {
    case .unseal, .seal, .slotList, .slotAdd, .slotRemove, .clockAccept, .clockSetFloor, .policyGet,
      .policySet, .policyExplain, .auditArchive, .namespaceConfigure, .namespaceSuspend,
      .namespaceResume, .namespaceRevoke:
      true
    default: false
    }
  }

  /// What its calls are about, as far as the policy cares; the schema's `x-scope`.
  public var scope: MethodScope {
    switch self {
    case .hello, .health, .unseal: .none
    case .status, .vaultMetrics, .seal, .slotList, .slotAdd, .slotRemove, .clockAccept,
      .clockSetFloor, .policyGet, .policySet, .policyExplain, .auditExport, .auditCheckpoint,
      .auditArchive:
      .vault
    case .auditTail, .namespaceList, .presentationMatch, .presentationExchange,
      .presentationRequest,
      .presentationClose:
      .filtered
    case .namespaceCreate, .namespaceGet, .namespaceConfigure, .namespaceSuspend, .namespaceResume,
      .namespaceRevoke, .keyPublic, .keyList, .keySign, .passStore, .passInfo, .passDelete,
      .presentationOpen, .presentationSign, .nokeStore, .nokeInfo, .nokeUnlock, .nokeReport,
      .nokePromote, .nokeDemote, .nokeDelete, .biqliOpen, .biqliInstance, .biqliCapture,
      .biqliBegin,
      .biqliComplete, .biqliFail, .biqliCached, .biqliWindow, .biqliReset, .biqliPending,
      .biqliDrop,
      .flinkeyStore, .flinkeyToken, .flinkeyRenewBegin, .flinkeyRenewComplete, .flinkeyBlock,
      .flinkeyUnblock, .flinkeyForget, .flinkeyBoxID:
      .namespace
    }
  }

  /// Whether it may change what the vault keeps, or its seal.
  public var hasEffects: Bool {
    switch self {
    case .unseal, .seal, .slotAdd, .slotRemove, .clockAccept, .clockSetFloor, .policySet,
      .auditArchive, .namespaceCreate, .namespaceConfigure,
      .namespaceSuspend, .namespaceResume, .namespaceRevoke, .keyPublic, .passStore, .passDelete,
      .presentationSign, .nokeStore, .nokeUnlock, .nokeReport, .nokePromote, .nokeDemote,
      .nokeDelete, .biqliOpen, .biqliInstance, .biqliCapture, .biqliBegin, .biqliComplete,
      .biqliFail, .biqliCached, .biqliWindow, .biqliReset, .biqliDrop,
      .flinkeyStore, .flinkeyToken, .flinkeyRenewBegin, .flinkeyRenewComplete, .flinkeyBlock,
      .flinkeyUnblock, .flinkeyForget:
      true
    default: false
    }
  }

  /// Whether its answer may carry output computed with a namespace's key, and so must wait for the
  /// commit that orders it against a revocation.
  public var hasKeyOutput: Bool {
    switch self {
    case .keySign, .presentationOpen, .presentationExchange, .presentationRequest,
      .presentationSign, .nokeUnlock,
      .flinkeyToken, .flinkeyRenewBegin, .flinkeyBoxID:
      true
    default: false
    }
  }

  /// The parameters it takes, as the decoder applies them.
  public var parameters: [Field] {
    switch self {
    case .hello: HelloParams.table.fields
    case .health, .status, .vaultMetrics, .seal, .slotList, .clockAccept, .policyGet,
      .auditCheckpoint:
      []
    case .unseal: UnsealParams.table.fields
    case .slotAdd: SlotAddParams.table.fields
    case .slotRemove: SlotRemoveParams.table.fields
    case .clockSetFloor: ClockSetFloorParams.table.fields
    case .policySet: PolicySetParams.table.fields
    case .policyExplain: PolicyExplainParams.table.fields
    case .auditTail: AuditTailParams.table.fields
    case .auditExport: AuditExportParams.table.fields
    case .auditArchive: AuditArchiveParams.table.fields
    case .namespaceCreate: NamespaceParams.table.fields
    case .namespaceGet: NamespaceParams.table.fields
    case .namespaceList: NamespaceListParams.table.fields
    case .namespaceConfigure: NamespaceConfigureParams.table.fields
    case .namespaceSuspend: NamespaceParams.table.fields
    case .namespaceResume: NamespaceParams.table.fields
    case .namespaceRevoke: NamespaceRevokeParams.table.fields
    case .keyPublic: KeyPublicParams.table.fields
    case .keyList: NamespaceParams.table.fields
    case .keySign: KeySignParams.table.fields
    case .passStore: PassStoreParams.table.fields
    case .passInfo: NamespaceParams.table.fields
    case .passDelete: NamespaceParams.table.fields
    case .presentationMatch: PresentationMatchParams.table.fields
    case .presentationOpen: PresentationOpenParams.table.fields
    case .presentationExchange: PresentationExchangeParams.table.fields
    case .presentationRequest: PresentationRequestParams.table.fields
    case .presentationClose: PresentationCloseParams.table.fields
    case .presentationSign: PresentationSignParams.table.fields
    case .nokeStore: NokeStoreParams.table.fields
    case .nokeInfo: NokeInfoParams.table.fields
    case .nokeUnlock: NokeUnlockParams.table.fields
    case .nokeReport: NokeReportParams.table.fields
    case .nokePromote: NokeLockParams.table.fields
    case .nokeDemote: NokeLockParams.table.fields
    case .nokeDelete: NokeLockParams.table.fields
    case .biqliOpen: BiqliOpenParams.table.fields
    case .biqliInstance: NamespaceParams.table.fields
    case .biqliCapture: BiqliCaptureParams.table.fields
    case .biqliBegin: BiqliBeginParams.table.fields
    case .biqliComplete: BiqliCompleteParams.table.fields
    case .biqliFail: BiqliFailParams.table.fields
    case .biqliCached: NamespaceParams.table.fields
    case .biqliWindow: NamespaceParams.table.fields
    case .biqliReset: NamespaceParams.table.fields
    case .biqliPending: NamespaceParams.table.fields
    case .biqliDrop: BiqliDropParams.table.fields
    case .flinkeyStore: FlinkeyStoreParams.table.fields
    case .flinkeyToken: FlinkeyTokenParams.table.fields
    case .flinkeyRenewBegin: FlinkeyRenewBeginParams.table.fields
    case .flinkeyRenewComplete: FlinkeyRenewCompleteParams.table.fields
    case .flinkeyBlock: FlinkeyUserParams.table.fields
    case .flinkeyUnblock: FlinkeyUserParams.table.fields
    case .flinkeyForget: FlinkeyUserParams.table.fields
    case .flinkeyBoxID: FlinkeyBoxIDParams.table.fields
    }
  }

  /// Whether a call may hold a secret, so that the buffers it passed through are to be wiped.
  public var takesSecret: Bool {
    parameters.contains { $0.kind.holdsSecret }
  }

  /// Where secrets stand in its result, as paths such as `inputs.password`; the schema marks the
  /// same members `x-secret`.
  public var secretResults: [String] {
    switch self {
    case .biqliBegin: ["body"]
    case .biqliComplete: ["receipt"]
    case .flinkeyToken: ["token"]
    case .flinkeyRenewBegin:
      [
        "inputs.api_key", "inputs.user_name", "inputs.password", "inputs.access_token",
        "inputs.sdk_key", "inputs.id_token",
      ]
    default: []
    }
  }

  /// Whether its answer may hold a secret, so that it is kept in guarded memory on both sides.
  public var givesSecret: Bool { !secretResults.isEmpty }
}
