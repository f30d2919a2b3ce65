public import WireCoding

/// The answer to `audit.tail`.
public struct AuditTailResult: VaultResult, Hashable {
  /// The lines as they stand in the log, each an object in JSON without its line feed.
  public var lines: [[UInt8]]
  /// Where more may be: what to give as `after` when it was given, and otherwise as `before`; `nil`
  /// when there is no more.
  public var next: Int64?
  /// The number of the first line that is still in the vault, one more than ``last`` when there is none;
  /// `nil` for who may not see every line.
  public var first: Int64?
  /// The number of the log's last line.
  public var last: Int64
  /// Lines that should be there and are not, or not as the vault wrote them.
  public var missing: [AuditGap]

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - lines: the lines, each an object in JSON.
  ///   - next: where more may be.
  ///   - first: the number of the first line that is still in the vault.
  ///   - last: the number of the log's last line.
  ///   - missing: lines that should be there and are not.
  public init(
    lines: [[UInt8]], next: Int64? = nil, first: Int64? = nil, last: Int64,
    missing: [AuditGap] = []
  ) {
    self.lines = lines
    self.next = next
    self.first = first
    self.last = last
    self.missing = missing
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("lines")
    writer.beginArray()
    for line in lines { writer.json(line.span) }
    writer.endArray()
    writer.optional("next", next)
    writer.optional("first", first)
    writer.name("last")
    writer.integer(last)
    writer.name("missing")
    writer.beginArray()
    for gap in missing { gap.encode(into: &writer) }
    writer.endArray()
    writer.endObject()
  }
}

/// Lines of the audit log that are not there, or not as the vault wrote them.
public struct AuditGap: VaultResult, Hashable {
  /// The first of them.
  public var first: Int64
  /// The last of them.
  public var last: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - first: the first of them.
  ///   - last: the last of them.
  public init(first: Int64, last: Int64) {
    self.first = first
    self.last = last
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("first")
    writer.integer(first)
    writer.name("last")
    writer.integer(last)
    writer.endObject()
  }
}
