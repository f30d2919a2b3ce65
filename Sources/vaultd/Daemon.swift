import Glibc
import ProcessHardening
import SecureMemory
import VaultCore
import VaultCrypto
import VaultServer
import VaultStore

/// The daemon, put together: one data directory, its vault, and the sockets.
struct Daemon {
  /// What was asked for on the command line.
  var options: DaemonOptions

  /// Runs until a signal ends it.
  ///
  /// - Throws: ``DaemonFailure`` when it cannot start.
  func run() throws(DaemonFailure) {
    try harden()
    let configuration = try readConfiguration()
    try reserveMemory(configuration)
    // The environment is read, and the signals are blocked, before there are other threads.
    let notifier = ServiceNotifier()
    let passed = try served { () throws(ServerError) in try SocketActivation.take() }
    let lock = try lockDirectory()
    try checkDirectory()
    let signals = try served { () throws(ServerError) in try StopSignals() }
    let vault = try openVault(configuration)
    let outcome = Result { () throws(DaemonFailure) in
      try unsealAtStart(vault)
      try serve(vault, configuration, passed: passed, until: signals, notifier)
    }
    // Sealed and written out before another daemon may have the directory.
    vault.close()
    _ = consume lock
    try outcome.get()
  }

  private func serve(
    _ vault: Vault, _ configuration: Configuration, passed: [ListeningSocket]?,
    until signals: StopSignals, _ notifier: ServiceNotifier
  ) throws(DaemonFailure) {
    try served { () throws(ServerError) in
      let sockets =
        if let passed { passed } else { try ListeningSocket.open(runtime: options.runtime) }
      let admission = Admission(
        configuration, others: { caller, _ in vault.authority.admits(caller) },
        revision: { vault.authority.installation })
      let meters = ServerMeters(dataDirectory: options.data)
      let server = try Server(
        configuration: configuration, sockets: sockets,
        service: VaultService(
          vault, admission: admission, version: Version.current, meters: meters),
        admission: admission, meters: meters)
      try server.run(until: signals, notifier: notifier)
    }
  }

  private func harden() throws(DaemonFailure) {
    do throws(HardeningError) {
      try ProcessHardening.apply(keepsInput: false)
      try ProcessHardening.refuseRoot(unless: options.allowsRoot)
    } catch {
      throw DaemonFailure(error == .runsAsRoot ? .noPermission : .software, "\(error)")
    }
  }

  private func readConfiguration() throws(DaemonFailure) -> Configuration {
    guard let path = options.configuration else { return Configuration() }
    do throws(ConfigurationError) {
      return try ConfigurationFile.read(path: path)
    } catch {
      throw DaemonFailure(.configuration, "\(error)")
    }
  }

  /// Checks that everything secret will fit in locked memory, and takes OpenSSL's part of it.
  private func reserveMemory(_ configuration: Configuration) throws(DaemonFailure) {
    let needed = configuration.lockedBytes + SecretArena.capacity + Self.secureHeapBytes
    do throws(HardeningError) {
      try ProcessHardening.requireLockedMemory(needed)
    } catch {
      throw DaemonFailure(.temporary, "\(error)")
    }
    do throws(VaultCryptoError) {
      try SecureHeap.start(bytes: Self.secureHeapBytes)
    } catch {
      throw DaemonFailure(.temporary, "OpenSSL's secure heap cannot be locked in memory")
    }
  }

  /// Room for the private scalars of all opened keys; a power of two, as OpenSSL wants it.
  private static let secureHeapBytes = 1 << 20

  private func lockDirectory() throws(DaemonFailure) -> DirectoryLock {
    do throws(StoreError) {
      return try DirectoryLock("\(options.data)/\(DataDirectory.lockName)")
    } catch {
      guard case .busy = error else {
        throw DaemonFailure(
          .noInput, "\(options.data) is not a vault's data directory: make one with 'vaultctl init'"
        )
      }
      throw DaemonFailure(.temporary, "another vaultd serves \(options.data)")
    }
  }

  /// Refuses a directory that others could have put something into.
  private func checkDirectory() throws(DaemonFailure) {
    var status = stat()
    guard unsafe stat(options.data, &status) == 0, status.st_uid == geteuid(),
      status.st_mode & 0o077 == 0
    else {
      throw DaemonFailure(
        .noPermission,
        "\(options.data) must belong to the user of the daemon, and be closed to all others: see"
          + " chown and chmod 700")
    }
  }

  private func openVault(_ configuration: Configuration) throws(DaemonFailure) -> Vault {
    var settings = VaultSettings()
    settings.presentationSeconds = Int64(configuration.presentationTimeout)
    settings.auth0Timeout = Int64(configuration.auth0Timeout)
    settings.auditSegmentSize = Int64(configuration.auditSegmentSize)
    settings.auditBacklog = Int64(configuration.auditBacklog)
    do throws(VaultError) {
      return try Vault(
        VaultLocation(directory: options.data, anchor: configuration.anchorFile),
        settings: settings
      ) { checkpoint in
        // The journal is one more place that whoever tampers with the data directory must reach.
        let line = String(decoding: checkpoint.line.dropLast(), as: UTF8.self)
        StandardErrorLog.write(.notice, "audit checkpoint \(line)")
      }
    } catch {
      throw DaemonFailure(.data, error.message)
    }
  }

  private func served<Value: ~Copyable>(
    _ body: () throws(ServerError) -> Value
  ) throws(DaemonFailure) -> Value {
    do throws(ServerError) { return try body() } catch {
      throw DaemonFailure(.unavailable, "\(error)")
    }
  }
}
