import VaultCore
import WireCoding

/// What the check of a log has found.
enum LogCheckView {
  /// For people and for programs.
  ///
  /// - Parameters:
  ///   - verdict: what was found.
  ///   - folder: where.
  ///   - isVouched: whether the key was known, so that signatures prove something.
  /// - Returns: the output; it fails when there is a fault.
  static func output(
    _ verdict: AuditVerdict, _ folder: LogFolder, isVouched: Bool
  ) -> CommandOutput {
    var output = CommandOutput(json: json(verdict, folder, isVouched: isVouched))
    output.blocks = [.fields(fields(verdict, isVouched: isVouched))]
    if !isVouched {
      output.notes = [
        "without --key only the chain was checked: whoever can write these files can make it anew"
      ]
    }
    if folder.ignoredCount > 0 {
      let rest = folder.ignoredCount - folder.ignored.count
      let names = folder.ignored.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
      output.notes.append("not looked at, for no file of a log has such a name: \(names)")
    }
    if let fault = verdict.fault {
      output.failure = CommandFailure(
        .damaged, LogCheck.words(fault),
        hint: "the log is not as the vault wrote it; latchkey-audit(5) tells what the words mean")
    }
    return output
  }

  private static func fields(_ verdict: AuditVerdict, isVouched: Bool) -> [OutputBlock.Field] {
    let report = verdict.report
    func line(_ line: AuditReport.Line?) -> String {
      line.map { "\($0.sequence), \($0.time)" } ?? "-"
    }
    var fields = [
      OutputBlock.Field(name: "result", value: verdict.fault?.kind.rawValue ?? "ok"),
      OutputBlock.Field(name: "checked", value: isVouched ? "chain and signatures" : "chain only"),
      OutputBlock.Field(name: "lines", value: String(report.lines)),
      OutputBlock.Field(name: "first", value: line(report.first)),
      OutputBlock.Field(name: "last", value: line(report.last)),
      OutputBlock.Field(name: "batches", value: String(report.batches)),
      OutputBlock.Field(name: "checkpoints", value: String(report.checkpoints)),
      OutputBlock.Field(name: "behind the last", value: "\(report.uncovered) lines"),
    ]
    if let pruned = report.pruned {
      fields.append(OutputBlock.Field(name: "archived before", value: "up to line \(pruned)"))
    }
    if let vault = verdict.vaultID {
      fields.append(OutputBlock.Field(name: "vault", value: Hex.encode(vault.span)))
    }
    if let key = verdict.key {
      fields.append(OutputBlock.Field(name: "key", value: Hex.encode(key.span)))
    }
    return fields
  }

  private static func json(
    _ verdict: AuditVerdict, _ folder: LogFolder, isVouched: Bool
  ) -> JSONValue {
    let report = verdict.report
    var members = [
      JSONMember(name: "ok", value: .boolean(verdict.fault == nil)),
      JSONMember(name: "checked", value: .string(isVouched ? "signatures" : "chain")),
      JSONMember(name: "lines", value: .integer(report.lines)),
      JSONMember(name: "batches", value: .integer(report.batches)),
      JSONMember(name: "checkpoints", value: .integer(report.checkpoints)),
    ]
    func add(_ name: String, _ value: JSONValue?) {
      if let value { members.append(JSONMember(name: name, value: value)) }
    }
    func line(_ line: AuditReport.Line) -> JSONValue {
      .object([
        JSONMember(name: "seq", value: .integer(line.sequence)),
        JSONMember(name: "time", value: .string(line.time.description)),
      ])
    }
    add("first", report.first.map(line))
    add("last", report.last.map(line))
    add("pruned", report.pruned.map { .integer($0) })
    add("checkpoint", report.checkpoint.map { .integer($0) })
    add("uncovered", .integer(report.uncovered))
    add("vault", verdict.vaultID.map { .string(Hex.encode($0.span)) })
    add("key", verdict.key.map { .string(Hex.encode($0.span)) })
    if folder.ignoredCount > 0 {
      add("ignored", .array(folder.ignored.map { .string($0) }))
      add("ignored_count", .integer(Int64(folder.ignoredCount)))
    }
    add("fault", verdict.fault.map(json))
    return .object(members)
  }

  private static func json(_ fault: AuditFault) -> JSONValue {
    var members = [
      JSONMember(name: "kind", value: .string(fault.kind.rawValue)),
      JSONMember(name: "file", value: .string(fault.place.file)),
      JSONMember(name: "line", value: .integer(fault.place.line)),
      JSONMember(name: "seq", value: .integer(fault.sequence)),
    ]
    if let last = fault.lastSequence {
      members.append(JSONMember(name: "last_seq", value: .integer(last)))
    }
    if let since = fault.since {
      members.append(
        JSONMember(
          name: "since",
          value: .object([
            JSONMember(name: "file", value: .string(since.file)),
            JSONMember(name: "line", value: .integer(since.line)),
          ])))
    }
    members.append(JSONMember(name: "message", value: .string(fault.words)))
    return .object(members)
  }
}
