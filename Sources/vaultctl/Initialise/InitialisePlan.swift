import CommandLineOptions
import Glibc
import VaultCore

/// What `init` was asked to make, checked as far as it can be before anything is made.
struct InitialisePlan: Sendable {
  let data: String
  /// Where the secret of the first slot comes from, or where its key file goes.
  let source: SecretSource
  /// Where the recovery key goes, `nil` when it was waived.
  let recovery: String?
  let admin: AdminAccount
  let firstAdmin: FirstAdmin
  /// Whether a program asks, which wants no progress lines.
  let isQuiet: Bool

  init(_ line: ParsedCommand) throws(CommandFailure) {
    guard let data = line[Options.data], let account = line[Options.admin] else {
      throw .usage("--data and --admin are missing")
    }
    self.data = data
    source = try SecretSource(line, keyFile: Options.newKeyFile, or: nil)
    recovery = line[Options.recoveryFile]
    guard recovery != nil || line[Options.noRecovery] else {
      throw .usage(
        "one of --recovery-file PATH, --no-recovery is missing",
        hint: "a recovery key opens the vault when the other secret is lost")
    }
    isQuiet = line[Options.json]
    admin = try AdminAccount(account)
    guard let firstAdmin = FirstAdmin(admin.policyText) else {
      throw .usage("--admin names nobody")
    }
    self.firstAdmin = firstAdmin
    try checkPlaces()
  }

  /// The key files that will be made, the recovery key last.
  var keyFiles: [String] {
    var paths: [String] = []
    if case .keyFile(let path) = source { paths.append(path) }
    if let recovery { paths.append(recovery) }
    return paths
  }

  private func checkPlaces() throws(CommandFailure) {
    let vault = try place(of: data)
    var taken: [String] = []
    for path in keyFiles {
      let place = try place(of: path)
      // Beside the vault it opens, a key is no protection; in it, the vault would not be whole.
      guard place != vault, !place.hasPrefix(vault + "/") else {
        throw .usage("\(path) is within the vault it opens", hint: "keep keys elsewhere")
      }
      guard !taken.contains(place) else {
        throw .usage("the key file and the recovery key are the same file")
      }
      taken.append(place)
      try FileOutput.checkFree(path)
    }
  }

  /// The path of something yet to be made, free of links and dots.
  private func place(of path: String) throws(CommandFailure) -> String {
    let parent = DataDirectory.parent(of: path)
    guard let resolved = unsafe realpath(parent, nil) else {
      throw CommandFailure(.cannotCreate, "\(parent): \(systemMessage(errno))")
    }
    defer { unsafe free(resolved) }
    let trimmed = path.split(separator: "/").last.map(String.init) ?? ""
    guard !trimmed.isEmpty, trimmed != ".", trimmed != ".." else {
      throw .usage("\(path) is not the path of something to be made")
    }
    let root = unsafe String(cString: resolved)
    return root == "/" ? "/" + trimmed : root + "/" + trimmed
  }
}
