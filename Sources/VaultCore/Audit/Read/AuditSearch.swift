import AccessPolicy
import WireCoding

/// Finds the lines that a query asks for and its caller may see.
struct AuditSearch {
  /// How many lines one query may look at, so that none holds up those behind it for long.
  static let most: Int64 = 32_768
  /// How many octets of lines one answer may have.
  static let mostOctets = 512 << 10
  /// How many lines are looked at together at first when the last ones are asked for, and twice as
  /// many each time after that: each time costs the reading of what stands around them.
  static let window: Int64 = 1_024

  /// The method that searches are asked for by.
  static let method: StaticString = "audit.tail"
  /// What stands in the line of a search that follows the log, so that it can be told from others.
  static let following: StaticString = "audit.tail.follow"

  private let query: AuditQuery
  private let subject: AuditEntry.Subject
  private let grant: MethodGrant?
  private var visible: [NamespaceName: Bool] = [:]
  private var reader: AuditLogReader
  private var page = AuditPage()
  private var octets = 0

  /// Prepares a search.
  ///
  /// - Parameters:
  ///   - query: what is asked for.
  ///   - subject: who asks.
  ///   - grant: what the policy grants; `nil` for whom no policy binds.
  ///   - reader: reads the log.
  init(
    _ query: AuditQuery, by subject: AuditEntry.Subject, _ grant: MethodGrant?,
    _ reader: AuditLogReader
  ) {
    self.query = query
    self.subject = subject
    self.grant = grant
    self.reader = reader
    page.last = reader.last
  }

  /// Looks.
  ///
  /// - Returns: what was found.
  /// - Throws: ``VaultError`` when the log cannot be read.
  mutating func run() throws(VaultError) -> AuditPage {
    let end = min(query.before.map { $0 - 1 } ?? reader.last, reader.last)
    if let after = query.after {
      try forward(after: after, through: end)
    } else {
      try backward(from: end)
    }
    // What is not there tells how much others do.
    page.missing = seesAll ? reader.missing : []
    page.first = seesAll ? try reader.first() : nil
    return page
  }

  private mutating func forward(after line: Int64, through last: Int64) throws(VaultError) {
    let start = max(line + 1, try reader.first())
    let end = min(start + Self.most - 1, last)
    guard start <= end else { return }
    var reached = end
    try look(in: start...end) { search, sequence, text in
      guard search.hasRoom(for: text) else {
        reached = sequence - 1
        return false
      }
      search.page.lines.append(search.shown(text))
      search.octets += text.count
      return true
    }
    page.next = reached < last ? reached : nil
  }

  private mutating func backward(from last: Int64) throws(VaultError) {
    let first = try reader.first()
    var end = last
    var looked: Int64 = 0
    var window = Self.window
    var isFull = false
    while end >= first, looked < Self.most, !isFull {
      let start = max(end - min(window, Self.most - looked) + 1, first)
      window *= 2
      var found: [(sequence: Int64, text: [UInt8])] = []
      try look(in: start...end) { _, sequence, text in
        found.append((sequence, text))
        return true
      }
      looked += end - start + 1
      end = start - 1
      for line in found.reversed() {
        guard hasRoom(for: line.text) else {
          end = line.sequence
          isFull = true
          break
        }
        page.lines.append(shown(line.text))
        octets += line.text.count
      }
    }
    page.lines.reverse()
    page.next = end >= first ? end + 1 : nil
  }

  /// Whether a line still belongs on the page; the first one does, whatever its length.
  private func hasRoom(for text: [UInt8]) -> Bool {
    page.lines.count < query.limit
      && (page.lines.isEmpty || octets + text.count <= Self.mostOctets)
  }

  /// Gives the lines of a range that are asked for and may be seen.
  private mutating func look(
    in range: ClosedRange<Int64>,
    _ body: (inout AuditSearch, Int64, [UInt8]) -> Bool
  ) throws(VaultError) {
    var reader = reader
    try reader.lines(in: range) { sequence, text in
      shows(text) ? body(&self, sequence, text) : true
    }
    self.reader = reader
  }

  /// Whether a line is asked for, and may be seen by who asks.
  private mutating func shows(_ text: [UInt8]) -> Bool {
    // A line of another release that this one cannot read is for those who may see everything.
    guard let record = CallRecord(text.span) else { return seesAll }
    if query.isFollowing, record.isOfSearch, record.uid == subject.caller.uid,
      record.pid == subject.caller.pid
    {
      return false
    }
    return query.matches(record) && maySee(record.namespace)
  }

  /// A line as it is shown to who asks: without the digest of the one before, which may be one that
  /// must not be seen, and which the digest would confirm a guess at.
  private func shown(_ text: [UInt8]) -> [UInt8] {
    guard !seesAll else { return text }
    // Every line ends with it: `,"prev":"<64 hex>"}`.
    return Array(text.dropLast(#","prev":""}"#.utf8.count + 64)) + [UInt8(ascii: "}")]
  }

  /// Whether the page has more than what those who follow the log have read of it.
  static func hasNews(_ page: AuditPage) -> Bool {
    page.lines.contains { CallRecord($0.span)?.method != following.description }
  }

  private var seesAll: Bool { grant?.coversEverything ?? true }

  private mutating func maySee(_ namespace: NamespaceName?) -> Bool {
    guard !seesAll, let grant else { return true }
    guard let namespace else { return false }
    if let known = visible[namespace] { return known }
    let isVisible = grant.denial(of: .namespace(namespace)) == nil
    visible[namespace] = isVisible
    return isVisible
  }
}

extension CallRecord {
  /// Whether the line is for a search of the log.
  fileprivate var isOfSearch: Bool { governedMethod == AuditSearch.method.description }
}
