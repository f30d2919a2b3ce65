public import WireCoding

extension VaultRequest {
  /// The method of the call.
  public var method: VaultMethod {
    switch self {
    case .hello: .hello
    case .health: .health
    case .status: .status
    case .vaultMetrics: .vaultMetrics
    case .unseal: .unseal
    case .seal: .seal
    case .slotList: .slotList
    case .slotAdd: .slotAdd
    case .slotRemove: .slotRemove
    case .clockAccept: .clockAccept
    case .clockSetFloor: .clockSetFloor
    case .policyGet: .policyGet
    case .policySet: .policySet
    case .policyExplain: .policyExplain
    case .auditTail: .auditTail
    case .auditExport: .auditExport
    case .auditCheckpoint: .auditCheckpoint
    case .auditArchive: .auditArchive
    case .namespaceCreate: .namespaceCreate
    case .namespaceGet: .namespaceGet
    case .namespaceList: .namespaceList
    case .namespaceConfigure: .namespaceConfigure
    case .namespaceSuspend: .namespaceSuspend
    case .namespaceResume: .namespaceResume
    case .namespaceRevoke: .namespaceRevoke
    case .keyPublic: .keyPublic
    case .keyList: .keyList
    case .keySign: .keySign
    case .passStore: .passStore
    case .passInfo: .passInfo
    case .passDelete: .passDelete
    case .presentationMatch: .presentationMatch
    case .presentationOpen: .presentationOpen
    case .presentationExchange: .presentationExchange
    case .presentationRequest: .presentationRequest
    case .presentationClose: .presentationClose
    case .presentationSign: .presentationSign
    case .nokeStore: .nokeStore
    case .nokeInfo: .nokeInfo
    case .nokeUnlock: .nokeUnlock
    case .nokeReport: .nokeReport
    case .nokePromote: .nokePromote
    case .nokeDemote: .nokeDemote
    case .nokeDelete: .nokeDelete
    case .biqliOpen: .biqliOpen
    case .biqliInstance: .biqliInstance
    case .biqliCapture: .biqliCapture
    case .biqliBegin: .biqliBegin
    case .biqliComplete: .biqliComplete
    case .biqliFail: .biqliFail
    case .biqliCached: .biqliCached
    case .biqliWindow: .biqliWindow
    case .biqliReset: .biqliReset
    case .biqliPending: .biqliPending
    case .biqliDrop: .biqliDrop
    case .flinkeyStore: .flinkeyStore
    case .flinkeyToken: .flinkeyToken
    case .flinkeyRenewBegin: .flinkeyRenewBegin
    case .flinkeyRenewComplete: .flinkeyRenewComplete
    case .flinkeyBlock: .flinkeyBlock
    case .flinkeyUnblock: .flinkeyUnblock
    case .flinkeyForget: .flinkeyForget
    case .flinkeyBoxID: .flinkeyBoxID
    }
  }

  /// Writes the parameter object; an empty one when the method takes none.
  ///
  /// - Parameter writer: a ``SecretJSONWriter`` when a parameter is secret.
  public func encodeParams<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    switch self {
    case .health, .status, .vaultMetrics, .seal, .slotList, .clockAccept, .policyGet,
      .auditCheckpoint:
      writer.beginObject()
      writer.endObject()
    case .hello(let params): params.encode(into: &writer)
    case .unseal(let params): params.encode(into: &writer)
    case .slotAdd(let params): params.encode(into: &writer)
    case .slotRemove(let params): params.encode(into: &writer)
    case .clockSetFloor(let params): params.encode(into: &writer)
    case .policySet(let params): params.encode(into: &writer)
    case .policyExplain(let params): params.encode(into: &writer)
    case .auditTail(let params): params.encode(into: &writer)
    case .auditExport(let params): params.encode(into: &writer)
    case .auditArchive(let params): params.encode(into: &writer)
    case .namespaceCreate(let params): params.encode(into: &writer)
    case .namespaceGet(let params): params.encode(into: &writer)
    case .namespaceList(let params): params.encode(into: &writer)
    case .namespaceConfigure(let params): params.encode(into: &writer)
    case .namespaceSuspend(let params): params.encode(into: &writer)
    case .namespaceResume(let params): params.encode(into: &writer)
    case .namespaceRevoke(let params): params.encode(into: &writer)
    case .keyPublic(let params): params.encode(into: &writer)
    case .keyList(let params): params.encode(into: &writer)
    case .keySign(let params): params.encode(into: &writer)
    case .passStore(let params): params.encode(into: &writer)
    case .passInfo(let params): params.encode(into: &writer)
    case .passDelete(let params): params.encode(into: &writer)
    case .presentationMatch(let params): params.encode(into: &writer)
    case .presentationOpen(let params): params.encode(into: &writer)
    case .presentationExchange(let params): params.encode(into: &writer)
    case .presentationRequest(let params): params.encode(into: &writer)
    case .presentationClose(let params): params.encode(into: &writer)
    case .presentationSign(let params): params.encode(into: &writer)
    case .nokeStore(let params): params.encode(into: &writer)
    case .nokeInfo(let params): params.encode(into: &writer)
    case .nokeUnlock(let params): params.encode(into: &writer)
    case .nokeReport(let params): params.encode(into: &writer)
    case .nokePromote(let params): params.encode(into: &writer)
    case .nokeDemote(let params): params.encode(into: &writer)
    case .nokeDelete(let params): params.encode(into: &writer)
    case .biqliOpen(let params): params.encode(into: &writer)
    case .biqliInstance(let params): params.encode(into: &writer)
    case .biqliCapture(let params): params.encode(into: &writer)
    case .biqliBegin(let params): params.encode(into: &writer)
    case .biqliComplete(let params): params.encode(into: &writer)
    case .biqliFail(let params): params.encode(into: &writer)
    case .biqliCached(let params): params.encode(into: &writer)
    case .biqliWindow(let params): params.encode(into: &writer)
    case .biqliReset(let params): params.encode(into: &writer)
    case .biqliPending(let params): params.encode(into: &writer)
    case .biqliDrop(let params): params.encode(into: &writer)
    case .flinkeyStore(let params): params.encode(into: &writer)
    case .flinkeyToken(let params): params.encode(into: &writer)
    case .flinkeyRenewBegin(let params): params.encode(into: &writer)
    case .flinkeyRenewComplete(let params): params.encode(into: &writer)
    case .flinkeyBlock(let params): params.encode(into: &writer)
    case .flinkeyUnblock(let params): params.encode(into: &writer)
    case .flinkeyForget(let params): params.encode(into: &writer)
    case .flinkeyBoxID(let params): params.encode(into: &writer)
    }
  }
}
