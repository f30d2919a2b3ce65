import AccessPolicy
import SecureMemory

extension CommitLoop {
  /// Reads the sealed policy and looks up its names.
  ///
  /// - Parameter damage: what is damaged, in words; gets what is wrong with the policy.
  /// - Returns: what calls are judged by from now on.
  func openPolicy(_ damage: inout [String]) -> Authority.State {
    let words: String
    do {
      let sealed = try LedgerReader(ledger).read { snapshot throws(LedgerError) in
        try snapshot.policy()
      }
      let policy = try Policy(stored: sealed.octets)
      return .inForce(
        PolicyInForce(policy, revision: sealed.revision, accounts: shared.accounts))
    } catch let fault as PolicyFault {
      // Its words are an admin's, and not for the log.
      words = "the policy cannot be read from line \(fault.line) on: is this release older?"
    } catch {
      words = Damage.policy.words
    }
    if !damage.contains(words) { damage.append(words) }
    return .damaged
  }
}

extension Policy {
  /// Reads a policy as it was stored, by an earlier release too: that stored the first admin alone.
  fileprivate init(stored content: borrowing SecretBytes) throws(PolicyFault) {
    let octets = content.withBytes { bytes in
      var octets: [UInt8] = []
      octets.reserveCapacity(bytes.count)
      for index in bytes.indices { octets.append(bytes[index]) }
      return octets
    }
    guard let text = String(validating: octets, as: UTF8.self) else {
      throw PolicyFault(line: 1, word: "", reason: "no UTF-8")
    }
    try self.init(FirstAdmin(text).map { Policy.first(admin: $0.text) } ?? text, methods: nil)
  }
}
