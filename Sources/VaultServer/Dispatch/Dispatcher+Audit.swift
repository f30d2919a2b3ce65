import VaultAPI
import VaultCore
import WireCoding

// The methods about the audit log.
extension Dispatcher {
  func carryOutAudit(_ request: VaultRequest, _ call: Call) {
    switch request {
    case .auditTail(let params):
      if let pattern = params.method, !Self.isMethod(pattern) {
        return turnAway(
          call,
          RPCError(
            .invalidParams, message: "No line has such a method.", field: "method"))
      }
      worker.tailLog(AuditQuery(params), by: call.subject, call.answer { AuditTailResult($0) })
    case .auditExport(let params):
      worker.exportLog(
        from: params.segment.map { LogFilePlace(segment: $0, offset: params.offset) },
        upTo: params.endSegment.map { LogFilePlace(segment: $0, offset: params.endOffset) },
        by: call.subject, call.answer { AuditExportResult($0) })
    case .auditCheckpoint:
      worker.checkpoint(
        by: call.subject,
        call.answer { made in
          AuditCheckpointResult(
            checkpoint: String(decoding: made.value.line.dropLast(), as: UTF8.self),
            key: made.value.key, seq: made.sequence)
        })
    case .auditArchive(let params):
      worker.archive(
        ArchiveRequest(through: params.through, head: params.head), by: call.subject,
        call.answer { AuditArchiveResult(removed: Int64($0.value), seq: $0.sequence) })
    default: call.fail(RPCError(.internalError))
    }
  }

  /// Whether lines can have a method, or one that begins so when a star stands at the end.
  private static func isMethod(_ pattern: String) -> Bool {
    let methods = VaultMethod.allCases.map(\.name) + AuditEntry.ownMethods
    return pattern.hasSuffix("*")
      ? methods.contains { $0.hasPrefix(pattern.dropLast()) } : methods.contains(pattern)
  }

  /// How the audit log stands.
  func auditStatus(_ status: Committer.Status) -> AuditStatus {
    AuditStatus(
      available: status.isAvailable, seq: status.sequence, lag: vault.committer.lag,
      segmentError: status.segmentTrouble?.word, anchorError: status.anchorTrouble?.word,
      checkpoint: status.checkpoint, key: vault.checkpointKey)
  }

  /// Reads the checkpoint that a caller has kept.
  func keptCheckpoint(_ text: String?) throws(VaultError) -> AuditCheckpoint? {
    guard let text else { return nil }
    guard let checkpoint = AuditCheckpoint(line: Array(text.utf8)) else {
      throw VaultError(
        .invalidParameters, "this is not the line of a checkpoint", field: "checkpoint")
    }
    return checkpoint
  }
}

extension AuditQuery {
  fileprivate init(_ params: AuditTailParams) {
    self.init(limit: Int(clamping: params.limit))
    after = params.after
    before = params.before
    method = params.method
    namespace = params.namespace
    uid = params.uid.flatMap { UInt32(exactly: $0) }
    code = params.code.flatMap { VaultError.Code(rawValue: $0.name) }
    since = params.since?.seconds
    until = params.until?.seconds
    isFollowing = params.follow
  }
}

extension AuditTailResult {
  fileprivate init(_ page: AuditPage) {
    self.init(
      lines: page.lines, next: page.next, first: page.first, last: page.last,
      missing: page.missing.map { AuditGap(first: $0.lowerBound, last: $0.upperBound) })
  }
}

extension AuditExportResult {
  fileprivate init(_ part: LogExtract) {
    self.init(
      name: part.name, segment: part.place.segment, offset: part.place.offset, data: part.octets,
      nextSegment: part.next?.segment, nextOffset: part.next?.offset,
      endSegment: part.end.segment, endOffset: part.end.offset)
  }
}
