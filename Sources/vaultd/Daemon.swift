import ProcessHardening
import SecureMemory
import VaultCore
import VaultCrypto
import VaultServer
import VaultStore

/// Puts the daemon together and runs it.
enum Daemon {
  /// Room for the private scalars of all opened keys; a power of two, as OpenSSL wants it.
  private static let secureHeapBytes = 1 << 20

  /// Runs until a signal ends it.
  static func run(_ options: DaemonOptions) throws {
    try ProcessHardening.refuseRoot(unless: options.allowsRoot)
    try ProcessHardening.apply(keepsInput: false)
    let configuration =
      try options.config.map { try ConfigurationFile.read(path: $0) } ?? Configuration()
    try ProcessHardening.requireLockedMemory(
      configuration.lockedBytes + SecretArena.capacity + secureHeapBytes)
    try SecureHeap.start(bytes: secureHeapBytes)

    // The environment is read and the signals are blocked before there are other threads.
    let notifier = ServiceNotifier()
    let activated = try SocketActivation.take()
    let signals = try StopSignals()
    let lock = try lockDirectory(options.data)
    let vault = try openVault(options.data, configuration)
    defer { vault.close() }
    try unseal(vault, with: options.keySource)
    let sockets = try activated ?? ListeningSocket.open(runtime: try options.requireRuntime())
    let server = try Server(
      configuration: configuration, sockets: sockets,
      service: VaultService(vault, version: Version.current),
      admission: Admission(configuration))
    try server.run(until: signals, notifier: notifier)
    _ = consume lock
  }

  private static func lockDirectory(_ path: String) throws(DaemonFailure) -> DirectoryLock {
    do throws(StoreError) {
      return try DirectoryLock("\(path)/\(DataDirectory.lockName)")
    } catch {
      guard case .busy = error else {
        throw DaemonFailure(
          .noInput, "\(path) is not a vault's data directory; make one with vaultctl init")
      }
      throw DaemonFailure(.temporary, "another vaultd serves \(path)")
    }
  }

  private static func openVault(
    _ path: String, _ configuration: Configuration
  ) throws(DaemonFailure) -> Vault {
    var settings = VaultSettings()
    settings.presentationSeconds = Int64(configuration.presentationTimeout)
    do throws(VaultError) {
      return try Vault(VaultLocation(directory: path), settings: settings)
    } catch {
      throw DaemonFailure(.data, error.message)
    }
  }
}
