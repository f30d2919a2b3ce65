import VaultCrypto
import WireCoding

extension AuditCheckpoint {
  /// More octets than the longest line has.
  static var longest: Int64 { 1 << 10 }
  private static var piece: Int64 { 256 << 10 }

  /// Whether this vault made it.
  func isOwn(_ unsealed: UnsealedLedger) -> Bool {
    vaultID == unsealed.vaultID && key == unsealed.keys.checkpoint.publicKey.octets && isSigned
  }

  /// The checkpoint of this vault that stands at a place of a segment, if one does.
  static func at(
    _ place: Int64, in file: any AuditFile, _ unsealed: UnsealedLedger
  ) throws(AuditFileError) -> AuditCheckpoint? {
    let octets = try file.read(at: place, count: Int(longest))
    guard octets.starts(with: prefix), let feed = octets.firstIndex(of: UInt8(ascii: "\n")),
      let found = AuditCheckpoint(line: Array(octets[..<feed])), found.isOwn(unsealed)
    else { return nil }
    return found
  }

  /// The last checkpoint of this vault that begins before a place of a segment, and where it begins.
  static func last(
    in file: any AuditFile, before limit: Int64, _ unsealed: UnsealedLedger
  ) throws(AuditFileError) -> (checkpoint: AuditCheckpoint, start: Int64)? {
    var end = limit
    while end > 0 {
      let start = max(0, end - piece)
      // The octet before tells whether a line begins at the first one.
      let from = max(0, start - 1)
      let octets = try file.read(at: from, count: Int(end - from) + prefix.count)
      var search = octets.prefix(Int(end - from))
      while let feed = search.lastIndex(of: UInt8(ascii: "\n")) {
        search = search[..<feed]
        let place = from + Int64(feed) + 1
        guard octets[(feed + 1)...].starts(with: prefix), place < limit,
          let found = try at(place, in: file, unsealed)
        else { continue }
        return (found, place)
      }
      if start == 0, let found = try at(0, in: file, unsealed) { return (found, 0) }
      end = start
    }
    return nil
  }

  /// Whether octets are what a crash may have left of the checkpoint at a position: the last of it
  /// is missing, or reads as zero.
  ///
  /// What cannot be known of that checkpoint is its time, and with it its signature, and the digest.
  static func mayBecome(
    _ remnant: [UInt8], at position: AuditPosition, since: Int64, _ unsealed: UnsealedLedger
  ) -> Bool {
    let line = AuditCheckpoint(blankAt: position, since: since, unsealed).line
    guard remnant.count <= line.count, remnant.count < line.count || remnant.contains(0) else {
      return false
    }
    var isFree: [Bool] = []
    let parts = line.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      isFree += repeatElement(Member.unknown.contains(index), count: part.count) + [false]
    }
    return remnant.indices.allSatisfy { index in
      let octet = remnant[index]
      return octet == 0 || octet == line[index] || isFree[index] && Self.isMade(octet)
    }
  }

  /// Whether an octet can stand in a time or in hexadecimal digits.
  private static func isMade(_ octet: UInt8) -> Bool {
    Hex.value(octet, acceptingUpperCase: false) != nil || "TZ:-".utf8.contains(octet)
  }
}
