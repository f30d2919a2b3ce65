import Glibc
import SecureMemory
import VaultAPI
import VaultCore

/// Makes a vault and its key files, all of it or nothing.
///
/// The slow part, deriving a key from a passphrase, comes before anything is on the disk. Then the
/// key files are written, then the directory is renamed into place: a vault is never there without
/// the keys that open it. When a step fails, the key files it made are removed again; only a power
/// cut or a SIGKILL in that moment can leave key files, and they open nothing.
struct VaultMaker: ~Copyable {
  private let plan: InitialisePlan
  private var draft: VaultDraft
  private var slots: [NewVault.Slot] = []
  /// The secrets of the key files, in the order of the plan.
  private var keys: [SecretBox] = []

  private init(_ plan: InitialisePlan) throws(CommandFailure) {
    self.plan = plan
    do throws(LedgerError) {
      draft = try VaultDraft(created: Int64(time(nil)))
    } catch {
      throw CommandFailure(error, path: plan.data)
    }
  }

  /// Makes a vault.
  static func make(_ plan: InitialisePlan) throws(CommandFailure) -> NewVault {
    try FileOutput.checkFreeDirectory(plan.data)
    var maker = try VaultMaker(plan)
    if plan.source.isKeyFile {
      try maker.addKeySlot("first")
    } else {
      try maker.addPassphraseSlot(try plan.source.newPassphrase(), "first")
    }
    if plan.recovery != nil { try maker.addKeySlot("recovery") }
    try maker.publish()
    return NewVault(vaultID: maker.draft.vaultID, slots: maker.slots)
  }

  private mutating func addPassphraseSlot(
    _ passphrase: consuming SecretBytes, _ label: String
  ) throws(CommandFailure) {
    if !plan.isQuiet {
      StandardStream.note("deriving the key from the passphrase (Argon2id, 256 MiB) ...")
    }
    try add(UnsealSecret(passphrase: passphrase), label)
    if !plan.isQuiet { StandardStream.note("... done") }
  }

  private mutating func addKeySlot(_ label: String) throws(CommandFailure) {
    let key: SecretBox
    let copy: SecretBytes
    do throws(SecureMemoryError) {
      key = SecretBox(try SecretBytes(random: 32))
      copy = try key.bytes.duplicate()
    } catch {
      throw CommandFailure(error)
    }
    do throws(LedgerError) {
      let secret = try UnsealSecret(keyFile: copy)
      keys.append(key)
      slots.append(
        NewVault.Slot(number: try draft.addSlot(secret, label: label), kind: .keyFile, label: label)
      )
    } catch {
      throw CommandFailure(error, path: plan.data)
    }
  }

  private mutating func add(
    _ secret: consuming UnsealSecret, _ label: String
  ) throws(CommandFailure) {
    do throws(LedgerError) {
      slots.append(
        NewVault.Slot(
          number: try draft.addSlot(secret, label: label), kind: .passphrase, label: label))
    } catch {
      throw CommandFailure(error, path: plan.data)
    }
  }

  /// Puts the key files and then the vault on the disk.
  private borrowing func publish() throws(CommandFailure) {
    // What follows is brief; Ctrl-C within it would leave keys without a vault, or a vault whose
    // maker was never told what to keep safe.
    Self.blockSignals()
    var made: [String] = []
    do throws(CommandFailure) {
      for (path, key) in zip(plan.keyFiles, keys) {
        try write(key, to: path)
        made.append(path)
      }
      try initialise()
    } catch {
      // When the very last step fails, the vault may be there all the same: its keys stay.
      if !vaultExists { for path in made { unsafe unlink(path) } }
      throw error
    }
  }

  private borrowing func write(_ key: SecretBox, to path: String) throws(CommandFailure) {
    do throws(LedgerError) { try KeyFile.write(key.bytes, to: path) } catch {
      throw CommandFailure(error, path: path)
    }
  }

  private borrowing func initialise() throws(CommandFailure) {
    do throws(LedgerError) {
      try VaultDirectory.initialise(at: plan.data, draft, firstAdmin: plan.firstAdmin)
    } catch {
      throw CommandFailure(error, path: plan.data)
    }
  }

  private var vaultExists: Bool {
    var status = stat()
    return unsafe lstat("\(plan.data)/\(DataDirectory.databaseName)", &status) == 0
  }

  private static func blockSignals() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP] {
      unsafe sigaddset(&signals, number)
    }
    unsafe sigprocmask(SIG_BLOCK, &signals, nil)
  }
}
