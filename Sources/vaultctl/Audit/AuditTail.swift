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
    // From the last one to the first; of a page no more is kept than is shown.
    var pages: [AuditTailPage] = []
    var params = filter
    var last: Int64?
    repeat {
      params.limit = min(Int64(missing), VaultLimits.pageLimit)
      let page = try page(params)
      last = last ?? page["last"]?.number
      pages.append(AuditTailPage(page, isJSON: context.line[Options.json]))
      missing -= page["lines"]?.elements?.count ?? 0
      params.before = page["next"]?.number
    } while params.before != nil && missing > 0
    while let page = pages.popLast() { try page.show() }
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
      let page = try page(params)
      if params.after == line, let first = page["first"]?.number, first - 1 > line {
        let lines =
          line + 1 == first - 1 ? "line \(first - 1) is" : "lines \(line + 1) to \(first - 1) are"
        StandardStream.note("\(lines) no longer in the vault: archived before")
      }
      try AuditTailPage(page, isJSON: context.line[Options.json]).show()
      guard let next = page["next"]?.number else {
        return max(line, try known(page["last"]?.number))
      }
      params.after = next
    }
  }

  private func page(_ params: AuditTailParams) throws(CommandFailure) -> JSONValue {
    do throws(CommandFailure) {
      return try context.call(.auditTail(params))
    } catch {
      var failure = error
      if failure.server?.field == "method", let method = params.method {
        failure.hint = "\(method) is no method, nor the beginning of one and a star"
      }
      throw failure
    }
  }

  private func known(_ last: Int64?) throws(CommandFailure) -> Int64 {
    guard let last else {
      throw CommandFailure(.protocolMismatch, "the answer does not say where the log ends")
    }
    return last
  }
}
