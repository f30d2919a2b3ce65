import Glibc
import SecureMemory
import Synchronization
import VaultCore
import VaultServer

extension Daemon {
  /// Unseals with the key file or systemd credential of the command line, if there is one.
  func unsealAtStart(_ vault: Vault) throws(DaemonFailure) {
    guard let path = try keyFilePath() else { return }
    let secret: OpeningSecret
    do {
      let isCredential = options.keyFile == nil
      secret = try OpeningSecret(.keyFile, try KeyFile.read(path, isGuarded: isCredential))
    } catch {
      throw DaemonFailure(
        .noInput, "\(path) is not a key file that only its owner can read")
    }
    let done = Waiter()
    vault.unseal(secret, slot: nil, by: .daemon) { result in done.finish(result.map { _ in () }) }
    do throws(VaultError) {
      try done.wait()
    } catch {
      let status: DaemonFailure.Status =
        switch error.code {
        case .damaged: .data
        case .auditUnavailable, .storageFull, .busy: .temporary
        default: .noPermission
        }
      throw DaemonFailure(status, error.message)
    }
    for words in vault.committer.status.damage { StandardErrorLog.write(.error, words) }
  }

  /// The key file, or the systemd credential of the name that was given.
  private func keyFilePath() throws(DaemonFailure) -> String? {
    if let path = options.keyFile { return path }
    guard let name = options.credential else { return nil }
    guard !name.isEmpty, !name.contains("/"), let directory = unsafe getenv("CREDENTIALS_DIRECTORY")
    else {
      throw DaemonFailure(
        .noInput, "systemd passed no credential: see LoadCredential= in systemd.exec(5)")
    }
    return unsafe "\(String(cString: directory))/\(name)"
  }
}

/// Lets the starting thread wait for an answer of the vault.
private final class Waiter: Sendable {
  private let result = Mutex<Result<Void, VaultError>?>(nil)

  func finish(_ outcome: Result<Void, VaultError>) {
    result.withLock { $0 = outcome }
  }

  /// Looks a thousand times a second: it happens once, and only at the start.
  func wait() throws(VaultError) {
    while true {
      if let outcome = result.withLock({ $0 }) { return try outcome.get() }
      usleep(1_000)
    }
  }
}
