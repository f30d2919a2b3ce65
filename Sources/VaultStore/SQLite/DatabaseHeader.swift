import CSQLite

/// What a database file says of itself, read without SQLite and so without any write.
///
/// SQLite itself would make or recover side files before it could be asked for `user_version`; a
/// vault of a later release must stay untouched to the byte. The newest committed first page may
/// still be in the write-ahead log, so that is read too (SQLite file format, §4.2 "The WAL File").
package struct DatabaseHeader: Hashable, Sendable {
  /// `PRAGMA application_id`.
  package let applicationID: Int64
  /// `PRAGMA user_version`.
  package let userVersion: Int64

  private static let magic = [UInt8]("SQLite format 3\0".utf8)

  /// Reads the header that SQLite would see.
  ///
  /// - Parameters:
  ///   - path: the database file.
  ///   - vfs: the VFS to read through, `nil` for the default one.
  /// - Throws: ``StoreError/notAVault`` when the file is missing, short or no database;
  ///   ``StoreError/inputOutput(code:errno:)`` when it cannot be read.
  package init(path: String, vfs: String? = nil) throws(StoreError) {
    guard unsafe latchkey_vfs_exists(vfs, path, 0) == 1 else { throw .notAVault }
    let file = try PlainFile(path: path, isLog: false, vfs: vfs)
    guard let page = try file.read(100, at: 0), page.starts(with: Self.magic) else {
      throw .notAVault
    }
    var header = page
    if unsafe latchkey_vfs_exists(vfs, path, 1) == 1 {
      let log = try PlainFile(path: path, isLog: true, vfs: vfs)
      if let newer = try Self.firstPage(inLog: log) { header = newer }
    }
    guard header.starts(with: Self.magic) else { throw .notAVault }
    userVersion = Int64(Int32(bitPattern: Self.big(header, 60)))
    applicationID = Int64(Int32(bitPattern: Self.big(header, 68)))
  }

  /// The first 100 bytes of the newest committed version of page 1 in a log, if it holds one.
  private static func firstPage(inLog log: borrowing PlainFile) throws(StoreError) -> [UInt8]? {
    guard let head = try log.read(32, at: 0), big(head, 0) & ~1 == 0x377f_0682,
      big(head, 4) == 3_007_000
    else { return nil }
    let isBig = big(head, 0) & 1 == 1
    let pageSize = Int(big(head, 8))
    guard pageSize >= 512, pageSize <= 65_536, pageSize & (pageSize - 1) == 0 else { return nil }
    var sum = Checksum()
    sum.add(head[0..<24], isBig)
    guard sum.matches(head, 24) else { return nil }
    var pending: [UInt8]?
    var committed: [UInt8]?
    var offset: Int64 = 32
    while let frame = try log.read(24 + pageSize, at: offset) {
      guard frame[8..<16] == head[16..<24] else { break }
      sum.add(frame[0..<8], isBig)
      sum.add(frame[24...], isBig)
      guard sum.matches(frame, 16) else { break }
      if big(frame, 0) == 1 { pending = [UInt8](frame[24..<124]) }
      if big(frame, 4) != 0, let page = pending { committed = page }
      offset += Int64(frame.count)
    }
    return committed
  }

  private static func big(_ bytes: [UInt8], _ at: Int) -> UInt32 {
    var value: UInt32 = 0
    for index in at..<at + 4 { value = value << 8 | UInt32(bytes[index]) }
    return value
  }

  /// The running checksum of a write-ahead log.
  private struct Checksum {
    var first: UInt32 = 0
    var second: UInt32 = 0

    mutating func add(_ bytes: ArraySlice<UInt8>, _ isBig: Bool) {
      let span = bytes.span
      var index = 0
      while index + 8 <= span.count {
        first &+= word(span, index, isBig) &+ second
        second &+= word(span, index + 4, isBig) &+ first
        index += 8
      }
    }

    func matches(_ bytes: [UInt8], _ at: Int) -> Bool {
      big(bytes, at) == first && big(bytes, at + 4) == second
    }

    private func word(_ span: Span<UInt8>, _ at: Int, _ isBig: Bool) -> UInt32 {
      let octets =
        UInt32(span[at]) << 24 | UInt32(span[at + 1]) << 16 | UInt32(span[at + 2]) << 8
        | UInt32(span[at + 3])
      return isBig ? octets : octets.byteSwapped
    }
  }
}
