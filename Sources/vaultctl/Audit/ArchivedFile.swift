import Glibc
import VaultCore

/// A file on its way into an archive: one that is there already must be the same, or, of the prune
/// records, the beginning of what comes.
struct ArchivedFile: ~Copyable {
  /// More octets than a checkpoint has.
  private static let longest = 2048

  private let path: String
  private let growsOn: Bool
  private var staged: StagedFile?
  /// What is there already.
  private var present: Int32 = -1
  /// The end of what was written.
  private var end: [UInt8] = []

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - path: where it belongs.
  ///   - growsOn: whether what is there may be the beginning of what comes, and is replaced.
  /// - Throws: ``CommandFailure`` ``ExitCode/cannotCreate``.
  init(_ path: String, growsOn: Bool) throws(CommandFailure) {
    self.path = path
    self.growsOn = growsOn
    present = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard present >= 0 || errno == ENOENT else { throw StagedFile.failure(path, errno) }
    staged = present < 0 || growsOn ? try StagedFile(path) : nil
  }

  deinit { if present >= 0 { close(present) } }

  /// Adds octets, or compares them.
  mutating func write(_ octets: [UInt8]) throws(CommandFailure) {
    end = Array((end + octets).suffix(Self.longest))
    try staged?.write(octets)
    guard present >= 0, !octets.isEmpty else { return }
    let there = try read(octets.count)
    guard growsOn ? octets.starts(with: there) : octets == there else { throw other }
  }

  /// The checkpoint that the file ends with.
  var closing: AuditCheckpoint? {
    end.split(separator: UInt8(ascii: "\n")).last.flatMap { AuditCheckpoint(line: Array($0)) }
  }

  /// Ends the file.
  mutating func finish() throws(CommandFailure) {
    // Before anything is replaced: what is there may have more.
    if present >= 0, try !read(1).isEmpty { throw other }
    try staged?.finish(replacing: present >= 0)
  }

  private var other: CommandFailure {
    CommandFailure(
      .cannotCreate, "\(path) is there already, and is another file",
      hint: "nothing is overwritten; name another directory")
  }

  private func read(_ count: Int) throws(CommandFailure) -> [UInt8] {
    var octets: [UInt8] = []
    var part = [UInt8](repeating: 0, count: count)
    while octets.count < count {
      let got = unsafe part.withUnsafeMutableBytes {
        unsafe Glibc.read(present, $0.baseAddress, count - octets.count)
      }
      if got < 0 && errno == EINTR { continue }
      guard got >= 0 else { throw CommandFailure(.noInput, "\(path) cannot be read") }
      guard got > 0 else { break }
      octets += part[..<got]
    }
    return octets
  }
}
