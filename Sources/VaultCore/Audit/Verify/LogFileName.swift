/// The names of the log's files: `0000000001.jsonl` for the segment that begins with line 1, ten digits
/// or as many more as it takes, and `pruned.jsonl` for the prune records.
package enum LogFileName {
  /// The file of the prune records.
  package static let pruneRecords = AuditPruneLog.fileName
  private static let suffix = ".jsonl"
  private static let digits = 10

  /// The name of a segment; zero stands for the prune records.
  package static func name(of number: Int64) -> String {
    guard number > 0 else { return pruneRecords }
    let text = String(number)
    return String(repeating: "0", count: max(digits - text.count, 0)) + text + suffix
  }

  /// The number that a name tells, zero for the prune records; `nil` for a name of anything else.
  package static func number(in name: String) -> Int64? {
    if name == pruneRecords { return 0 }
    let digits = name.utf8.dropLast(suffix.utf8.count)
    guard name.hasSuffix(suffix), digits.count >= Self.digits,
      digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int64(String(decoding: digits, as: UTF8.self)).flatMap { $0 > 0 ? $0 : nil }
  }
}
