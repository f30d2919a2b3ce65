import VaultCrypto
import VaultStore
import WireCoding

/// The newest number and digest of the audit log: each line names the digest of the one before it.
struct AuditChain: Hashable, Sendable {
  /// The number of the last line, zero before the first.
  private(set) var sequence: Int64
  /// BLAKE2b-256 of the last line without its line feed.
  private(set) var head: [UInt8]

  /// The numbers that lines and batches have: what a JSON number carries exactly.
  static let numbers: ClosedRange<Int64> = 1...(1 << 53)

  /// The chain of a vault before its first line: it starts at the vault's own identifier, so that
  /// lines of another vault never fit.
  init(vaultID: [UInt8]) {
    sequence = 0
    head = BLAKE2b.hash(vaultID.span)
  }

  /// The chain as the first line of a batch claims it was before it; `nil` when it claims nothing.
  init?(before row: OutboxRow) {
    guard let end = row.lines.firstIndex(of: UInt8(ascii: "\n")),
      let head = Self.previous(row.lines[..<end])
    else { return nil }
    self.init(sequence: row.firstSeq - 1, head: head)
  }

  /// The chain as a line, line feed included, claims it was before it; `nil` when it claims nothing.
  init?(before line: [UInt8]) {
    let start = Array(#"{"seq":"#.utf8)
    guard line.starts(with: start) else { return nil }
    let digits = line.dropFirst(start.count).prefix { $0 != UInt8(ascii: ",") }
    guard let number = Int64(String(decoding: digits, as: UTF8.self)),
      Self.numbers.contains(number), let head = Self.previous(line.dropLast())
    else { return nil }
    self.init(sequence: number - 1, head: head)
  }

  /// The digest that a line without its line feed names as that of the line before.
  private static func previous(_ line: ArraySlice<UInt8>) -> [UInt8]? {
    guard line.count >= 66 else { return nil }
    return try? Hex.decode(Array(line.suffix(66).dropLast(2)).span)
  }

  /// A chain that goes on after line `sequence` with digest `head`.
  init(sequence: Int64, head: [UInt8]) {
    self.sequence = sequence
    self.head = head
  }

  /// Numbers and chains an entry.
  ///
  /// - Returns: the line with its line feed.
  mutating func append(_ entry: AuditEntry, at time: Int64) -> [UInt8] {
    sequence += 1
    var line = AuditLine(entry: entry, sequence: sequence, time: time, previous: head).octets
    head = BLAKE2b.hash(line.span)
    line.append(UInt8(ascii: "\n"))
    return line
  }

  /// Follows one line that is already chained.
  ///
  /// - Returns: whether it carries the next number and, as the digest of the line before, the
  ///   chain's head. A line that closes a batch in the segment is none.
  mutating func follow(_ line: Span<UInt8>) -> Bool {
    guard Self.numbers.contains(sequence + 1) else { return false }
    let start = "{\"seq\":\(sequence + 1),".utf8
    guard line.count > start.count else { return false }
    for (index, octet) in start.enumerated() where line[index] != octet { return false }
    // `"prev":"<64 hex>"}` closes every line, so the digest stands at a fixed place from its end.
    let hexEnd = line.count - 2
    guard hexEnd >= 64 else { return false }
    let expected = Hex.encode(head.span).utf8
    var index = hexEnd - 64
    for octet in expected {
      guard line[index] == octet else { return false }
      index += 1
    }
    sequence += 1
    head = BLAKE2b.hash(line)
    return true
  }
}
