import VaultAPI
import WireCoding

/// The files of the audit log as the vault hands them out, part by part, up to where the log ended
/// when that began.
struct LogDownload: ~Copyable {
  /// A part of a file.
  struct Part {
    /// The file's name, which is safe to be one.
    let name: String
    /// The segment's number, zero for the prune records.
    let segment: Int64
    let octets: [UInt8]
    /// Whether it begins the file, and whether it ends it.
    let isFirst: Bool
    let isLast: Bool
    /// Whether the segment is the one that the vault still writes to.
    let isNewest: Bool
  }

  private var session: VaultSession
  private var params = AuditExportParams()
  private var isOver = false

  /// Starts at the beginning.
  init(_ context: CallContext) throws(CommandFailure) {
    session = try context.session()
  }

  /// The next part, `nil` behind the last one.
  mutating func next() throws(CommandFailure) -> Part? {
    guard !isOver else { return nil }
    let answer = try session.call(.auditExport(params))
    guard let name = answer["name"]?.text, let segment = answer["segment"]?.number,
      let offset = answer["offset"]?.number, let text = answer["data"]?.text,
      let octets = try? Base64.decode(text), let end = answer["end_segment"]?.number,
      let endOffset = answer["end_offset"]?.number, Self.isFileName(name),
      params.segment.map({ $0 == segment && params.offset == offset }) ?? (offset == 0)
    else { throw CommandFailure(.protocolMismatch, "the answer is no part of the audit log") }
    params.endSegment = end
    params.endOffset = endOffset
    params.segment = answer["next_segment"]?.number
    params.offset = answer["next_offset"]?.number ?? 0
    isOver = params.segment == nil
    return Part(
      name: name, segment: segment, octets: octets, isFirst: offset == 0,
      isLast: params.segment != segment, isNewest: segment == end)
  }

  /// Whether a name can be no other file than one of a log.
  private static func isFileName(_ name: String) -> Bool {
    name.utf8.count < 40 && !name.hasPrefix(".")
      && name.utf8.allSatisfy { octet in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(octet)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(octet) || octet == UInt8(ascii: ".")
      }
  }
}
