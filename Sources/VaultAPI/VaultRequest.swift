public import WireCoding

/// A call with its parameters.
public enum VaultRequest: Sendable {
  case hello(HelloParams)
  case health
  case status
  case vaultMetrics
  case unseal(UnsealParams)
  case seal
  case slotList
  case slotAdd(SlotAddParams)
  case slotRemove(SlotRemoveParams)
  case clockAccept
  case clockSetFloor(ClockSetFloorParams)
  case policyGet
  case policySet(PolicySetParams)
  case policyExplain(PolicyExplainParams)
  case auditTail(AuditTailParams)
  case auditExport(AuditExportParams)
  case auditCheckpoint
  case auditArchive(AuditArchiveParams)
  case namespaceCreate(NamespaceParams)
  case namespaceGet(NamespaceParams)
  case namespaceList(NamespaceListParams)
  case namespaceConfigure(NamespaceConfigureParams)
  case namespaceSuspend(NamespaceParams)
  case namespaceResume(NamespaceParams)
  case namespaceRevoke(NamespaceRevokeParams)
  case keyPublic(KeyPublicParams)
  case keyList(NamespaceParams)
  case keySign(KeySignParams)
  case passStore(PassStoreParams)
  case passInfo(NamespaceParams)
  case passDelete(NamespaceParams)
  case presentationMatch(PresentationMatchParams)
  case presentationOpen(PresentationOpenParams)
  case presentationExchange(PresentationExchangeParams)
  case presentationRequest(PresentationRequestParams)
  case presentationClose(PresentationCloseParams)
  case presentationSign(PresentationSignParams)
  case nokeStore(NokeStoreParams)
  case nokeInfo(NokeInfoParams)
  case nokeUnlock(NokeUnlockParams)
  case nokeReport(NokeReportParams)
  case nokePromote(NokeLockParams)
  case nokeDemote(NokeLockParams)
  case nokeDelete(NokeLockParams)
  case biqliOpen(BiqliOpenParams)
  case biqliInstance(NamespaceParams)
  case biqliCapture(BiqliCaptureParams)
  case biqliBegin(BiqliBeginParams)
  case biqliComplete(BiqliCompleteParams)
  case biqliFail(BiqliFailParams)
  case biqliCached(NamespaceParams)
  case biqliWindow(NamespaceParams)
  case biqliReset(NamespaceParams)
  case biqliPending(NamespaceParams)
  case biqliDrop(BiqliDropParams)
  case flinkeyStore(FlinkeyStoreParams)
  case flinkeyToken(FlinkeyTokenParams)
  case flinkeyRenewBegin(FlinkeyRenewBeginParams)
  case flinkeyRenewComplete(FlinkeyRenewCompleteParams)
  case flinkeyBlock(FlinkeyUserParams)
  case flinkeyUnblock(FlinkeyUserParams)
  case flinkeyForget(FlinkeyUserParams)
  case flinkeyBoxID(FlinkeyBoxIDParams)

  /// Reads the parameters of a method.
  ///
  /// - Parameters:
  ///   - method: the method.
  ///   - reader: stands before the parameter object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  init(_ method: VaultMethod, from reader: inout JSONReader) throws(VaultAPIError) {
    switch method {
    case .hello: self = .hello(try HelloParams(from: &reader))
    case .health: self = try Self.empty(.health, &reader)
    case .status: self = try Self.empty(.status, &reader)
    case .vaultMetrics: self = try Self.empty(.vaultMetrics, &reader)
    case .unseal: self = .unseal(try UnsealParams(from: &reader))
    case .seal: self = try Self.empty(.seal, &reader)
    case .slotList: self = try Self.empty(.slotList, &reader)
    case .slotAdd: self = .slotAdd(try SlotAddParams(from: &reader))
    case .slotRemove: self = .slotRemove(try SlotRemoveParams(from: &reader))
    case .clockAccept: self = try Self.empty(.clockAccept, &reader)
    case .clockSetFloor: self = .clockSetFloor(try ClockSetFloorParams(from: &reader))
    case .policyGet: self = try Self.empty(.policyGet, &reader)
    case .policySet: self = .policySet(try PolicySetParams(from: &reader))
    case .policyExplain: self = .policyExplain(try PolicyExplainParams(from: &reader))
    case .auditTail: self = .auditTail(try AuditTailParams(from: &reader))
    case .auditExport: self = .auditExport(try AuditExportParams(from: &reader))
    case .auditCheckpoint: self = try Self.empty(.auditCheckpoint, &reader)
    case .auditArchive: self = .auditArchive(try AuditArchiveParams(from: &reader))
    case .namespaceCreate: self = .namespaceCreate(try NamespaceParams(from: &reader))
    case .namespaceGet: self = .namespaceGet(try NamespaceParams(from: &reader))
    case .namespaceList: self = .namespaceList(try NamespaceListParams(from: &reader))
    case .namespaceConfigure:
      self = .namespaceConfigure(try NamespaceConfigureParams(from: &reader))
    case .namespaceSuspend: self = .namespaceSuspend(try NamespaceParams(from: &reader))
    case .namespaceResume: self = .namespaceResume(try NamespaceParams(from: &reader))
    case .namespaceRevoke: self = .namespaceRevoke(try NamespaceRevokeParams(from: &reader))
    case .keyPublic: self = .keyPublic(try KeyPublicParams(from: &reader))
    case .keyList: self = .keyList(try NamespaceParams(from: &reader))
    case .keySign: self = .keySign(try KeySignParams(from: &reader))
    case .passStore: self = .passStore(try PassStoreParams(from: &reader))
    case .passInfo: self = .passInfo(try NamespaceParams(from: &reader))
    case .passDelete: self = .passDelete(try NamespaceParams(from: &reader))
    case .presentationMatch: self = .presentationMatch(try PresentationMatchParams(from: &reader))
    case .presentationOpen: self = .presentationOpen(try PresentationOpenParams(from: &reader))
    case .presentationExchange:
      self = .presentationExchange(try PresentationExchangeParams(from: &reader))
    case .presentationRequest:
      self = .presentationRequest(try PresentationRequestParams(from: &reader))
    case .presentationClose: self = .presentationClose(try PresentationCloseParams(from: &reader))
    case .presentationSign: self = .presentationSign(try PresentationSignParams(from: &reader))
    case .nokeStore: self = .nokeStore(try NokeStoreParams(from: &reader))
    case .nokeInfo: self = .nokeInfo(try NokeInfoParams(from: &reader))
    case .nokeUnlock: self = .nokeUnlock(try NokeUnlockParams(from: &reader))
    case .nokeReport: self = .nokeReport(try NokeReportParams(from: &reader))
    case .nokePromote: self = .nokePromote(try NokeLockParams(from: &reader))
    case .nokeDemote: self = .nokeDemote(try NokeLockParams(from: &reader))
    case .nokeDelete: self = .nokeDelete(try NokeLockParams(from: &reader))
    case .biqliOpen: self = .biqliOpen(try BiqliOpenParams(from: &reader))
    case .biqliInstance: self = .biqliInstance(try NamespaceParams(from: &reader))
    case .biqliCapture: self = .biqliCapture(try BiqliCaptureParams(from: &reader))
    case .biqliBegin: self = .biqliBegin(try BiqliBeginParams(from: &reader))
    case .biqliComplete: self = .biqliComplete(try BiqliCompleteParams(from: &reader))
    case .biqliFail: self = .biqliFail(try BiqliFailParams(from: &reader))
    case .biqliCached: self = .biqliCached(try NamespaceParams(from: &reader))
    case .biqliWindow: self = .biqliWindow(try NamespaceParams(from: &reader))
    case .biqliReset: self = .biqliReset(try NamespaceParams(from: &reader))
    case .biqliPending: self = .biqliPending(try NamespaceParams(from: &reader))
    case .biqliDrop: self = .biqliDrop(try BiqliDropParams(from: &reader))
    case .flinkeyStore: self = .flinkeyStore(try FlinkeyStoreParams(from: &reader))
    case .flinkeyToken: self = .flinkeyToken(try FlinkeyTokenParams(from: &reader))
    case .flinkeyRenewBegin: self = .flinkeyRenewBegin(try FlinkeyRenewBeginParams(from: &reader))
    case .flinkeyRenewComplete:
      self = .flinkeyRenewComplete(try FlinkeyRenewCompleteParams(from: &reader))
    case .flinkeyBlock: self = .flinkeyBlock(try FlinkeyUserParams(from: &reader))
    case .flinkeyUnblock: self = .flinkeyUnblock(try FlinkeyUserParams(from: &reader))
    case .flinkeyForget: self = .flinkeyForget(try FlinkeyUserParams(from: &reader))
    case .flinkeyBoxID: self = .flinkeyBoxID(try FlinkeyBoxIDParams(from: &reader))
    }
  }

  /// The namespace the call names, if any; for a call about all below a name too, that name.
  public var namespace: NamespaceName? {
    switch self {
    case .auditTail(let params): params.namespace
    case .namespaceCreate(let params): params.namespace
    case .namespaceGet(let params): params.namespace
    case .namespaceConfigure(let params): params.namespace
    case .namespaceSuspend(let params): params.namespace
    case .namespaceResume(let params): params.namespace
    case .namespaceRevoke(let params):
      switch params.target {
      case .namespace(let name), .prefix(let name): name
      }
    case .keyPublic(let params): params.namespace
    case .keyList(let params): params.namespace
    case .keySign(let params): params.namespace
    case .passStore(let params): params.namespace
    case .passInfo(let params): params.namespace
    case .passDelete(let params): params.namespace
    case .presentationMatch(let params): params.namespace
    case .presentationOpen(let params): params.namespace
    case .presentationSign(let params): params.namespace
    case .nokeStore(let params): params.namespace
    case .nokeInfo(let params): params.namespace
    case .nokeUnlock(let params): params.namespace
    case .nokeReport(let params): params.namespace
    case .nokePromote(let params): params.namespace
    case .nokeDemote(let params): params.namespace
    case .nokeDelete(let params): params.namespace
    case .biqliOpen(let params): params.namespace
    case .biqliInstance(let params): params.namespace
    case .biqliCapture(let params): params.namespace
    case .biqliBegin(let params): params.namespace
    case .biqliComplete(let params): params.namespace
    case .biqliFail(let params): params.namespace
    case .biqliCached(let params): params.namespace
    case .biqliWindow(let params): params.namespace
    case .biqliReset(let params): params.namespace
    case .biqliPending(let params): params.namespace
    case .biqliDrop(let params): params.namespace
    case .flinkeyStore(let params): params.namespace
    case .flinkeyToken(let params): params.namespace
    case .flinkeyRenewBegin(let params): params.namespace
    case .flinkeyRenewComplete(let params): params.namespace
    case .flinkeyBlock(let params): params.namespace
    case .flinkeyUnblock(let params): params.namespace
    case .flinkeyForget(let params): params.namespace
    case .flinkeyBoxID(let params): params.namespace
    default: nil
    }
  }

  private static func empty(
    _ request: VaultRequest, _ reader: inout JSONReader
  ) throws(VaultAPIError) -> VaultRequest {
    var object = try ObjectDecoder(NoMember.table, &reader)
    while try object.next(&reader) != nil {}
    return request
  }
}
