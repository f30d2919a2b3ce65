import AccessPolicy
import DiskFaults
import Glibc
import SecureMemory
import Testing

@testable import VaultCore

/// What is in force is what is stored, whatever becomes of the commit.
@Suite struct OperationsPolicyFaultTests {
  private func stored(_ test: CommitTestVault) throws -> (text: String, revision: Int64) {
    try LedgerReader(test.vault.ledger).read { snapshot throws(LedgerError) in
      let policy = try snapshot.policy()
      let octets = policy.octets.withBytes { bytes in bytes.indices.map { bytes[$0] } }
      return (String(decoding: octets, as: UTF8.self), policy.revision)
    }
  }

  @Test(arguments: [EIO, ENOSPC])
  func `whichever write fails, the policy in force is the one that is stored`(
    _ code: Int32
  ) throws {
    let recorder = DiskRecorder()
    let directory = try LedgerTestVault(recorder: recorder)
    let test = try CommitTestVault(directory, audit: RecordedAudit(directory, recorder))
    try test.setPolicy(CommitTestVault.policy())
    var failures = 1
    var count = 0
    while failures > 0 {
      let text = CommitTestVault.policy("# \(count)\n" + CommitTestVault.rule("monitor"))
      recorder.fail(
        .init(after: count, code: code, isLasting: false) { event in
          !event.isOfSegment && (code == EIO || event.needsSpace)
        })
      let isSet = (try? test.setPolicy(text)) != nil
      failures = recorder.failures
      recorder.fail(nil)
      // The fault is over, and so is the doubt it left.
      try test.publicKey("door")
      let (found, inForce) = (try stored(test), try #require(test.vault.authority.policy))
      #expect(inForce.policy.text == found.text && inForce.revision == found.revision, "\(count)")
      #expect(test.vault.authority.revision == found.revision)
      if isSet { #expect(found.text == text, "\(count)") }
      count += 1
    }
    #expect(count > 3)
  }
}
