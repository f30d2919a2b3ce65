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

  /// The number that a name tells, zero for the prune records; `nil` for a name of anything else, such
  /// as one with more zeros than belong there, of which a directory could have many for one number.
  package static func number(in name: String) -> Int64? {
    if name == pruneRecords { return 0 }
    guard name.hasSuffix(suffix), let number = Int64(name.dropLast(suffix.count)),
      AuditChain.numbers.contains(number), Self.name(of: number) == name
    else { return nil }
    return number
  }
}
