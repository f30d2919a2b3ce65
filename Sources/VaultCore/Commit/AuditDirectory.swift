import Glibc

/// The directory of the audit segments, each named by the number of its first line.
struct AuditDirectory: AuditSource {
  /// How a segment's name ends.
  static let suffix = ".jsonl"

  let path: String

  /// Names the directory.
  init(path: String) {
    self.path = path
  }

  func openNewest() throws(AuditFileError) -> any AuditFile {
    try AuditSegmentFile(directory: path, name: try names().max() ?? Self.name(first: 1))
  }

  func makeSegment(first sequence: Int64) throws(AuditFileError) -> any AuditFile {
    var name = Self.name(first: sequence)
    // A segment that begins at the same line is kept for inspection, and stays behind in the order.
    let taken = try names()
    while taken.contains(name) { name = "\(name.dropLast(Self.suffix.count))-\(Self.suffix)" }
    return try AuditSegmentFile(directory: path, name: name)
  }

  private static func name(first sequence: Int64) -> String {
    let digits = String(sequence)
    return String(repeating: "0", count: max(20 - digits.count, 0)) + digits + suffix
  }

  private func names() throws(AuditFileError) -> [String] {
    guard let directory = unsafe opendir(path) else { throw AuditFileError(code: errno) }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(Self.suffix) { names.append(name) }
    }
    return names
  }
}
