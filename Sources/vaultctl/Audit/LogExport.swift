import CommandLineOptions
import Glibc
import VaultAPI
import WireCoding

/// Copies the audit log out of a running vault, into a directory of files as they are or into one file
/// with their text.
struct LogExport: Sendable {
  let context: CallContext
  /// Where to, with a slash at its end for a directory.
  let target: String

  /// Copies it; nothing of that name is there before it is whole.
  ///
  /// - Returns: how much there was.
  /// - Throws: ``CommandFailure``.
  func run() throws(CommandFailure) -> CommandOutput {
    let isDirectory = target.hasSuffix("/")
    let path = isDirectory ? String(target.dropLast()) : target
    guard !path.isEmpty else { throw .usage("--out names no file") }
    try FileOutput.checkFree(path)
    let count = isDirectory ? try copy(into: path) : try copy(to: path)
    let json = JSONValue.object([
      JSONMember(name: "path", value: .string(path)),
      JSONMember(name: "octets", value: .integer(count)),
    ])
    return CommandOutput(
      json: json, blocks: [.text(["\(path): \(count) bytes"])],
      notes: ["check it with `vaultctl audit verify \(path) --key KEY`"])
  }

  private func copy(to path: String) throws(CommandFailure) -> Int64 {
    var download = try LogDownload(context)
    var file = try StagedFile(path)
    var progress = ProgressLine("exporting", isQuiet: context.line[Options.json])
    var count: Int64 = 0
    while let part = try download.next() {
      try file.write(part.octets)
      count += Int64(part.octets.count)
      progress.show(count)
    }
    try file.finish()
    return count
  }

  private func copy(into path: String) throws(CommandFailure) -> Int64 {
    let staged = "\(path).part-\(getpid())"
    guard unsafe mkdir(staged, 0o750) == 0 else { throw StagedFile.failure(path, errno) }
    var names: [String] = []
    do throws(CommandFailure) {
      let count = try copy(below: staged, &names)
      try FileOutput.checkFree(path)
      // All that could be lost of what comes there meanwhile is an empty directory.
      guard unsafe rename(staged, path) == 0 else { throw StagedFile.failure(path, errno) }
      try StagedFile.synchronise(directory: StagedFile.parent(of: path))
      return count
    } catch {
      for name in names { unsafe unlink("\(staged)/\(name)") }
      unsafe rmdir(staged)
      throw error
    }
  }

  private func copy(
    below directory: String, _ names: inout [String]
  ) throws(CommandFailure) -> Int64 {
    var download = try LogDownload(context)
    var progress = ProgressLine("exporting", isQuiet: context.line[Options.json])
    var count: Int64 = 0
    var file: StagedFile?
    while let part = try download.next() {
      if part.isFirst {
        file = try StagedFile("\(directory)/\(part.name)")
        names.append(part.name)
      }
      try file?.write(part.octets)
      count += Int64(part.octets.count)
      progress.show(count)
      if part.isLast { try file?.finish() }
    }
    return count
  }
}
