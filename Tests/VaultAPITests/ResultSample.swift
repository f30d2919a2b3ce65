import Testing
import VaultAPI
import WireCoding

/// Results as the server may return them; a full one has every optional member.
struct ResultSample: Sendable, CustomTestStringConvertible {
  let method: VaultMethod
  let result: any VaultResult
  var isFull = true

  var testDescription: String { method.name + (isFull ? "" : " (short)") }

  static let all: [ResultSample] =
    vault + slots + policies + audit + namespaces + keys + passes + presentations + noke + biqli
    + flinkey

  init(method: VaultMethod, result: any VaultResult, isFull: Bool = true) {
    self.method = method
    self.result = result
    self.isFull = isFull
  }

  /// A result with secrets, written as the others are: those of samples are none.
  init(method: VaultMethod, secret: any SecretResult, isFull: Bool = true) {
    self.init(method: method, result: Shown(secret: secret), isFull: isFull)
  }

  private struct Shown: VaultResult {
    let secret: any SecretResult
    func encode(into writer: inout JSONWriter) { secret.encode(into: &writer) }
  }

  private static let id = [UInt8](repeating: 0xAB, count: 16)
  private static let digest = [UInt8](repeating: 7, count: 32)
  private static let time = Timestamp(clamping: 1_768_465_800)
  private static var name: NamespaceName {
    get throws { try NamespaceName("home/door-1") }
  }

  private static let vault: [ResultSample] = [
    ResultSample(
      method: .hello,
      result: HelloResult(version: "1.0.0", protocolVersion: 1, protocols: [1])),
    ResultSample(method: .health, result: HealthResult(ok: true)),
    ResultSample(
      method: .status,
      result: StatusResult(
        state: .unsealed, vaultId: id, version: "1.0.0", started: time, clock: time,
        machineClock: time, clockState: .certain,
        audit: AuditStatus(
          available: true, seq: 12, lag: 1, segmentError: "storage_full",
          anchorError: "read_only", checkpoint: 9, key: digest), erasurePending: 0)),
    ResultSample(
      method: .status,
      result: StatusResult(
        state: .sealed, vaultId: id, version: "1.0.0", started: time, clock: time,
        machineClock: time, clockState: .held, audit: AuditStatus(available: true, seq: 12),
        erasurePending: 0), isFull: false),
    ResultSample(
      method: .vaultMetrics, result: VaultMetricsResult(text: "latchkey_sealed 0\n")),
    ResultSample(
      method: .unseal,
      result: UnsealResult(
        state: .unsealed, slot: 1, kind: .keyFile, damage: ["slot 3 is damaged"])),
    ResultSample(method: .seal, result: SealResult(state: .sealed, seq: 3)),
  ]

  private static let slots: [ResultSample] = [
    ResultSample(
      method: .slotList,
      result: SlotListResult(slots: [
        SlotEntry(
          slot: 1,
          header: SlotEntry.Header(
            kind: .passphrase, label: "desk", created: time,
            argon2: Argon2Cost(operations: 3, memoryKib: 262_144))),
        SlotEntry(
          slot: 2, header: SlotEntry.Header(kind: .keyFile, label: "unit", created: time)),
        SlotEntry(slot: 3, header: nil),
      ])),
    ResultSample(method: .slotAdd, result: SlotAddResult(slot: 2, seq: 9)),
    ResultSample(method: .slotRemove, result: SlotRemoveResult(seq: 10)),
    ResultSample(
      method: .clockAccept, result: ClockResult(clock: time, clockState: .certain, seq: 11)),
    ResultSample(
      method: .clockSetFloor, result: ClockResult(clock: time, clockState: .held, seq: 12)),
  ]

  private static let policies: [ResultSample] = {
    guard let name = try? name else { return [] }
    let nobody = UnresolvedSubject(line: 3, subject: "user:alice")
    let caller = ExplainedCaller(uid: 1000, groups: [1000, 27], unit: "gateway.service")
    let rule = ExplainedRule(
      line: 3, rule: "allow user:bob methods gateway namespaces home/**",
      lacks: [.subject, .method, .namespace], words: "does not name the caller")
    let words = "no rule names the caller"
    return [
      ResultSample(
        method: .policyGet,
        result: PolicyGetResult(revision: 1, policy: "policy 1\n", unresolved: [nobody])),
      ResultSample(
        method: .policySet,
        result: PolicySetResult(revision: 2, restrictive: true, unresolved: [nobody], seq: 9)),
      ResultSample(
        method: .policySet,
        result: PolicySetResult(revision: 2, restrictive: false, unresolved: []), isFull: false),
      ResultSample(
        method: .policyExplain,
        result: PolicyExplainResult(
          revision: 2, method: "key.sign", namespace: name, caller: caller, socket: .client,
          allowed: false, reason: "no_rule", words: words, rules: [rule],
          recorded: RecordedDecision(
            seq: 9, time: time, code: .forbidden, reason: "no_rule", revision: 1))),
      ResultSample(
        method: .policyExplain,
        result: PolicyExplainResult(
          revision: 2, method: "seal", caller: ExplainedCaller(uid: 0, groups: []), socket: .admin,
          allowed: true, words: words, rules: [], recorded: RecordedDecision(seq: 9, time: time)),
        isFull: false),
    ]
  }()

  /// A line with every member.
  private static let auditLine = Array(
    #"""
    {"seq":7,"time":"2026-01-15T08:30:00Z","uid":1000,"pid":42,"unit":"gateway.service",\#
    "endpoint":"client","method":"key.sign","namespace":"home/door-1",\#
    "namespace_id":"000102030405060708090a0b0c0d0e0f","key_version":2,"outcome":"refused",\#
    "code":"forbidden","reason":"no_rule","policy":3,"count":4,"forbidden":1,"malformed":2,\#
    "rate_limited":1,"detail_digest":"\#(String(repeating: "0a", count: 32))",\#
    "user_confirmed":true,"restrictive":true,"prev":"\#(String(repeating: "0b", count: 32))"}
    """#.utf8)

  private static let audit: [ResultSample] = [
    ResultSample(
      method: .auditTail,
      result: AuditTailResult(
        lines: [auditLine], next: 7, first: 2, last: 12, missing: [AuditGap(first: 3, last: 4)])),
    ResultSample(
      method: .auditTail, result: AuditTailResult(lines: [], last: 0), isFull: false),
    ResultSample(
      method: .auditExport,
      result: AuditExportResult(
        name: "0000000001.jsonl", segment: 1, offset: 0, data: [1, 2, 3], nextSegment: 9,
        nextOffset: 0, endSegment: 9, endOffset: 700)),
    ResultSample(
      method: .auditExport,
      result: AuditExportResult(
        name: "pruned.jsonl", segment: 0, offset: 4, data: [], endSegment: 0, endOffset: 4),
      isFull: false),
    ResultSample(
      method: .auditCheckpoint,
      result: AuditCheckpointResult(
        checkpoint: #"{"checkpoint":12}"#, key: digest, seq: 12)),
    ResultSample(method: .auditArchive, result: AuditArchiveResult(removed: 3, seq: 13)),
  ]

  private static let namespaces: [ResultSample] = {
    guard let name = try? name else { return [] }
    let entry = NamespaceEntry(namespace: name, id: id, state: .active)
    return [
      ResultSample(
        method: .namespaceCreate,
        result: NamespaceCreateResult(namespace: name, id: id, created: true, seq: 4)),
      ResultSample(
        method: .namespaceGet,
        result: NamespaceGetResult(
          namespace: name, id: id, state: .revoked, generation: 5, created: time,
          keys: [KeySummary(purpose: "presentation", version: 1, state: .active)], pass: true,
          userConfirmation: true)),
      ResultSample(
        method: .namespaceList, result: NamespaceListResult(namespaces: [entry], next: name)),
      ResultSample(
        method: .namespaceList, result: NamespaceListResult(namespaces: []), isFull: false),
      ResultSample(method: .namespaceConfigure, result: NamespaceConfigureResult(seq: 6)),
      ResultSample(
        method: .namespaceSuspend,
        result: NamespaceStateResult(id: id, state: .suspended, changed: true, seq: 7)),
      ResultSample(
        method: .namespaceResume,
        result: NamespaceStateResult(id: id, state: .active, changed: false, seq: 8)),
      ResultSample(
        method: .namespaceRevoke,
        result: NamespaceRevokeResult(id: id, seq: 5, erasure: .pending)),
      ResultSample(
        method: .namespaceRevoke,
        result: NamespaceRevokeResult(id: nil, count: 10_000, seq: 9, erasure: .complete),
        isFull: false),
    ]
  }()

  private static let keys: [ResultSample] = {
    guard let name = try? name else { return [] }
    let point = [UInt8](repeating: 4, count: 65)
    let spki = [UInt8](repeating: 0x30, count: 91)
    let entry = KeyEntry(purpose: "signing", version: 2, state: .pending, created: time)
    return [
      ResultSample(
        method: .keyPublic,
        result: KeyPublicResult(
          namespace: name, purpose: .presentation, version: 1, created: true, point: point,
          spki: spki, seq: 6)),
      ResultSample(
        method: .keyPublic,
        result: KeyPublicResult(
          namespace: name, purpose: .signing, version: 1, created: false, point: point, spki: spki,
          seq: 8)),
      ResultSample(method: .keyList, result: KeyListResult(keys: [entry])),
      ResultSample(
        method: .keySign,
        result: KeySignResult(
          signature: [UInt8](repeating: 1, count: 64), format: .raw, version: 1, seq: 7)),
    ]
  }()

  private static let passes: [ResultSample] = [
    ResultSample(
      method: .passStore,
      result: PassStoreResult(
        replaced: false, digest: digest, signed: time, validFrom: time, validUntil: time,
        readerGroups: [id], seq: 8)),
    ResultSample(
      method: .passInfo,
      result: PassInfoResult(
        digest: digest, signed: time, validFrom: time, validUntil: time, readerGroups: [id, id],
        issuer: PassIssuer(keyIdentifier: [1, 2, 3, 4, 5, 6, 7, 8], verified: true),
        access: [
          AccessSummary(
            element: "floor1", id: [7], rules: ["unsecure: at any time"],
            schedules: ["from 2026-01-15T08:30:00Z"], readerRuleIds: [0, 65535]),
          AccessSummary(element: "b", rules: [], schedules: [], readerRuleIds: []),
        ],
        revocation: RevocationSummary(
          signed: time, validFrom: time, validUntil: time, mode: .append, entries: 3),
        mailbox: PassMailbox(size: 64, readable: true, writable: false, stepUp: true),
        stored: time, usable: false, reason: .notYetValid)),
    ResultSample(
      method: .passInfo,
      result: PassInfoResult(
        digest: digest, signed: time, validFrom: time, validUntil: time, readerGroups: [id],
        issuer: PassIssuer(verified: false), access: [], stored: time, usable: true),
      isFull: false),
    ResultSample(
      method: .passDelete, result: PassDeleteResult(deleted: true, key: true, pass: false, seq: 9)),
  ]

  private static let presentations: [ResultSample] = [
    ResultSample(
      method: .presentationOpen,
      result: PresentationOpenResult(
        presentation: PresentationID(id), messages: [[1, 2, 3]], state: .awaitingAuth0, events: [],
        refusal: PresentationRefusal(.passMissing), timeout: 2500, expires: time, seq: 1)),
    ResultSample(
      method: .presentationExchange,
      result: PresentationStepResult(
        messages: [], state: .finished,
        events: [
          PresentationEvent(.readerAuthenticated),
          PresentationEvent(.status, detail: "unsecured"),
        ], statusWord: [0x90, 0x00], refusal: PresentationRefusal(.expired),
        ranging: [RangingMessage(message: .m2, payload: [1])], timeout: 0, disconnect: true,
        seq: 2)),
    ResultSample(
      method: .presentationExchange,
      result: PresentationStepResult(
        messages: [], state: .failed, events: [], disconnect: true, seq: 2), isFull: false),
    ResultSample(
      method: .presentationRequest,
      result: PresentationStepResult(
        messages: [[2, 4]], state: .accepted, events: [], statusWord: [0x90, 0x00],
        refusal: PresentationRefusal(.forbidden), ranging: [], timeout: 1, disconnect: false,
        seq: 2)),
    ResultSample(
      method: .presentationMatch,
      result: PresentationMatchResult(
        connectable: true,
        matches: (try? name).map {
          [PresentationMatch(namespace: $0, readerGroup: id, verified: true)]
        } ?? [], more: false)),
    ResultSample(
      method: .presentationSign,
      result: PresentationSignResult(
        signature: [UInt8](repeating: 3, count: 64), keyVersion: 1, seq: 4)),
    ResultSample(
      method: .presentationClose, result: PresentationCloseResult(state: .closed, seq: 3)),
  ]
}
