import VaultAPI
import WireCoding

extension Simulation {
  /// What is known of the pass that a simulation makes.
  enum OwnPass {
    case none
    /// It may have been stored, with this digest in base64.
    case sent(digest: String)
    /// It was stored.
    case stored(digest: String?)
  }

  /// What became of pass and key in the end.
  enum CleanUp {
    case deleted
    /// Somebody else has put a pass in the place of the simulation's.
    case replaced
    /// Somebody else has deleted them.
    case gone
    case failed(CommandFailure)

    var failure: CommandFailure? {
      guard case .failed(let failure) = self else { return nil }
      return failure
    }

    /// Whether others have to do with the namespace.
    var isWarning: Bool {
      switch self {
      case .replaced, .gone: true
      case .deleted, .failed: false
      }
    }

    func words(_ namespace: NamespaceName) -> String {
      let name = namespace.rawValue
      return switch self {
      case .deleted: "pass and key of \(name) are deleted again"
      case .replaced:
        "somebody else has stored a pass for \(name) meanwhile; it stays, and the key with it"
      case .gone: "somebody else has deleted pass and key of \(name) meanwhile"
      case .failed: "pass and key stay: `vaultctl pass delete \(name)` is left to do"
      }
    }
  }

  /// Deletes pass and key if they are still the simulation's own.
  mutating func cleanUp() -> CleanUp {
    let outcome: CleanUp
    do throws(CommandFailure) { outcome = try delete() } catch { outcome = .failed(error) }
    switch outcome {
    case .deleted:
      report.tell(
        "vault", "pass.delete",
        "Pass and key are deleted again, and the lock's keys are thrown away.")
    case .failed:
      report.tell(
        "vault", "pass.delete",
        "This failed: `vaultctl pass delete \(namespace.rawValue)` is left to do.")
    case .replaced, .gone:
      report.tell(
        "vault", "pass.info", "Nothing is deleted: \(outcome.words(namespace)).")
    }
    return outcome
  }

  private func delete() throws(CommandFailure) -> CleanUp {
    let digest = try storedDigest()
    switch (pass, digest) {
    case (.stored, nil): return .gone
    case (.none, nil), (.sent, nil): break
    case (.sent(let own), let found?) where own == found: break
    case (.stored(let own), let found?) where own == found: break
    default: return .replaced
    }
    _ = try context.call(.passDelete(NamespaceParams(namespace: namespace)))
    return .deleted
  }

  /// The digest of the pass that the namespace has now.
  private func storedDigest() throws(CommandFailure) -> String? {
    do throws(CommandFailure) {
      return try context.call(.passInfo(NamespaceParams(namespace: namespace)))["digest"]?.text
    } catch {
      guard error.server?.code == .passMissing else { throw error }
      return nil
    }
  }
}
