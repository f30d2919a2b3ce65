import CommandLineOptions
import Glibc
import VaultAPI
import WireCoding

/// The lines of the audit log that a command line asks for.
struct AuditTail: Sendable {
  private let context: CallContext
  private let filter: AuditTailParams

  /// Reads the command line.
  init(_ context: CallContext) {
    let line = context.line
    var filter = AuditTailParams(limit: VaultLimits.pageLimit)
    filter.method = line[Options.method]
    filter.namespace = line[Options.inNamespace]
    filter.uid = line[Options.uid].map { Int64($0) }
    filter.code = line[Options.code]
    filter.since = line[Options.since]
    filter.until = line[Options.until]
    self.context = context
    self.filter = filter
  }

  /// Shows the lines, and goes on with those that come if that was asked for.
  ///
  /// - Returns: nothing more to show.
  /// - Throws: ``CommandFailure``.
  func run() throws(CommandFailure) -> CommandOutput {
    let last =
      if let line = context.line[Options.afterLine] {
        try showBehind(Int64(line), isFollowing: false)
      } else {
        try showLast()
      }
    guard context.line[Options.follow] else { return CommandOutput(json: .null, octets: []) }
    var position = last
    while true {
      sleep(1)
      position = try showBehind(position, isFollowing: true)
    }
  }

  /// Shows the last lines.
  ///
  /// - Returns: the last line of the log.
  private func showLast() throws(CommandFailure) -> Int64 {
    var missing = context.line[Options.lineCount] ?? 10
    var pages: [JSONValue] = []
    var params = filter
    var last: Int64?
    repeat {
      params.limit = min(Int64(missing), VaultLimits.pageLimit)
      let page = try context.call(.auditTail(params))
      last = last ?? page["last"]?.number
      pages.append(page)
      missing -= page["lines"]?.elements?.count ?? 0
      params.before = page["next"]?.number
    } while params.before != nil && missing > 0
    for page in pages.reversed() { try show(page) }
    return try known(last)
  }

  /// Shows the lines behind one.
  ///
  /// - Returns: the last line that was looked at.
  private func showBehind(
    _ line: Int64, isFollowing: Bool
  ) throws(CommandFailure) -> Int64 {
    var params = filter
    params.follow = isFollowing
    params.after = line
    while true {
      let page = try context.call(.auditTail(params))
      try show(page)
      guard let next = page["next"]?.number else {
        return max(line, try known(page["last"]?.number))
      }
      params.after = next
    }
  }

  private func known(_ last: Int64?) throws(CommandFailure) -> Int64 {
    guard let last else {
      throw CommandFailure(.protocolMismatch, "the answer does not say where the log ends")
    }
    return last
  }

  private func show(_ page: JSONValue) throws(CommandFailure) {
    let isJSON = context.line[Options.json]
    var text: [UInt8] = []
    for line in page["lines"]?.elements ?? [] {
      text += isJSON ? JSONText.compact(line) : Array(AuditLineView.text(line).utf8)
      text.append(UInt8(ascii: "\n"))
    }
    try StandardStream.write(text, to: STDOUT_FILENO)
    for gap in page["missing"]?.elements ?? [] {
      let view = ResultView(gap)
      StandardStream.note(
        "lines \(view["first"]) to \(view["last"]) are missing, or are not as the vault wrote them: "
          + "see `vaultctl audit verify`")
    }
  }
}
