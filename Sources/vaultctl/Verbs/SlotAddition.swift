import Glibc
import SecureMemory
import VaultAPI
import VaultCore
import WireCoding

/// One slot to add, with its key file if it has one.
struct SlotAddition: Sendable {
  let label: String
  let source: SecretSource

  /// Adds it.
  func run(_ context: CallContext) throws(CommandFailure) -> JSONValue {
    guard case .keyFile(let path) = source else {
      let passphrase = SecretBox(try source.newPassphrase())
      return try context.call(
        .slotAdd(SlotAddParams(label: label, passphrase: passphrase)),
        timeout: CallContext.slowTimeout)
    }
    let key: SecretBox
    do throws(SecureMemoryError) { key = SecretBox(try SecretBytes(random: 32)) } catch {
      throw CommandFailure(error)
    }
    // The file comes first: a slot that nothing opens would be worse than a key for no slot.
    do throws(LedgerError) { try KeyFile.write(key.bytes, to: path) } catch {
      throw CommandFailure(error, path: path)
    }
    do throws(CommandFailure) {
      return try context.call(
        .slotAdd(SlotAddParams(label: label, key: key)), timeout: CallContext.slowTimeout)
    } catch {
      guard !error.isUncertain else {
        var failure = error
        failure.hint =
          "the slot may have been added: see `vaultctl slot list` before \(path) is removed"
        throw failure
      }
      unsafe unlink(path)
      throw error
    }
  }
}
