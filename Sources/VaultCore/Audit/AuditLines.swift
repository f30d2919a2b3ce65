/// Reads the lines of a segment, from a place on.
struct AuditLines {
  /// Longer than any line that a vault writes.
  static let longest = 64 << 10
  private static let piece: Int64 = 256 << 10

  private let file: any AuditFile
  private let size: Int64
  private var buffer: ArraySlice<UInt8> = []
  private var read: Int64

  /// Starts at a place.
  init(_ file: any AuditFile, from start: Int64) throws(AuditFileError) {
    self.file = file
    size = try file.size()
    read = start
  }

  /// The next line, its line feed included; `nil` when there is no whole one.
  mutating func next() throws(AuditFileError) -> [UInt8]? {
    var searched = 0
    while true {
      let rest = buffer.dropFirst(searched)
      if let feed = rest.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer = buffer[(feed + 1)...] }
        return Array(buffer[...feed])
      }
      guard read < size, buffer.count < Self.longest else { return nil }
      searched = buffer.count
      let piece = try file.read(at: read, count: Int(min(Self.piece, size - read)))
      guard !piece.isEmpty else { return nil }
      read += Int64(piece.count)
      buffer = buffer + piece
    }
  }
}
