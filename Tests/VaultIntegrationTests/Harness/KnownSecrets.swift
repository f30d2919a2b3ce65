import Foundation
import Glibc
import SecureMemory
import VaultCrypto
import VaultStore
import WireCoding

@testable import VaultCore

/// The secrets of a live vault in hex, taken out of a copy of its directory with its key file.
struct KnownSecrets {
  /// What an unsealed daemon has no reason to hold: what opened it, and keys used for a moment.
  private(set) var unused: [String: String] = [:]
  /// What an unsealed daemon may hold, in guarded memory.
  private(set) var used: [String: String] = [:]
  /// Those of ``used`` that it cannot do without.
  private(set) var inUse: [String] = []

  /// Opens a copy; the daemon stands still while it is taken.
  init(of vault: TestVault, namespaces: [String]) throws {
    let directory = try TemporaryDirectory()
    let copy = directory.path + "/data"
    vault.daemon?.signal(SIGSTOP)
    defer { vault.daemon?.signal(SIGCONT) }
    try FileManager.default.copyItem(atPath: vault.data, toPath: copy)

    let keyFile = try KeyFile.read(vault.keyFile)
    unused["key file"] = Self.hex(keyFile)
    unused["recovery key"] = Self.hex(try KeyFile.read(vault.recoveryFile))
    let (ledger, writer) = try Ledger.open(VaultDatabase(path: copy + "/vault.db"))
    let box = try ledger.openSlot(UnsealSecret(keyFile: keyFile))
    try addMasterKeys(box)
    _ = try ledger.unseal(box)
    let reader = try LedgerReader(ledger)
    for name in namespaces {
      try addNamespace(try NamespaceName(name), reader, box.keys, vaultID: ledger.vaultID)
    }
    withExtendedLifetime(writer) {}
  }

  private mutating func addMasterKeys(_ box: MasterKeyBox) throws {
    // The master key leaves its box only sealed; so it is sealed, and opened again.
    let known = try SealingKey(try SecretBytes(zeroed: 32))
    let nothing: [UInt8] = []
    let sealed = try box.keys.master.sealed(with: known, associatedData: nothing.span)
    use(
      "master key",
      try known.open(
        nonce: sealed.nonce.span, box: sealed.box.span, associatedData: nothing.span))
    for purpose in SubkeyPurpose.allCases {
      use("subkey \(purpose)", try box.keys.master.subkey(purpose))
    }
  }

  private mutating func use(_ name: String, _ secret: consuming SecretBytes) {
    used[name] = Self.hex(secret)
    inUse.append(name)
  }

  private mutating func addNamespace(
    _ name: NamespaceName, _ reader: LedgerReader, _ keys: VaultKeys, vaultID: [UInt8]
  ) throws {
    let found = try reader.read { snapshot throws(LedgerError) in
      guard let entry = try snapshot.namespace(named: name) else { throw .namespaceMissing }
      let contents = try snapshot.contents(of: entry)
      var scalars: [String: String] = [:]
      for purpose in KeyPurpose.allCases {
        let identifier = KeyRecord.identifier(purpose, version: entry.keyVersions[purpose])
        guard let record = try contents.open(.key, identifier) else { continue }
        // The scalar is the end of the record.
        scalars["scalar \(name) \(purpose)"] = String(Self.hex(record).suffix(64))
      }
      return (entry.row, scalars)
    }
    used.merge(found.1) { $1 }
    guard let nonce = found.0.keyNonce, let box = found.0.keyBox else { return }
    let data = LedgerFormat.dataKeyAssociatedData(vaultID: vaultID, namespaceID: found.0.id)
    unused["data key \(name)"] = Self.hex(
      try keys.wrap.open(nonce: nonce.span, box: box.span, associatedData: data.span))
  }

  private static func hex(_ secret: borrowing SecretBytes) -> String {
    secret.withBytes { WireCoding.Hex.encode($0) }
  }
}
