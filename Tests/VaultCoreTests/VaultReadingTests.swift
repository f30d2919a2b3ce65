import Testing

@testable import VaultCore

@Suite struct VaultReadingTests {
  @Test func `tells what the newest checkpoint leaves uncovered, and how old it is`() throws {
    let test = try CommitTestVault()
    try test.publicKey("a")
    try test.checkpoint()
    #expect(test.vault.reading.uncheckpointedLines == 0)
    #expect(test.vault.reading.checkpointAge == 0)
    for _ in 0..<3 { try test.sign("a") }
    // Less than after which the next one is due.
    test.clock.advance(milliseconds: 400)
    #expect(test.vault.reading.uncheckpointedLines == 3)
    #expect(test.vault.reading.checkpointAge == 400)
    try test.checkpoint()
    #expect(test.vault.reading.uncheckpointedLines == 0)
    #expect(test.vault.reading.checkpointAge == 0)
  }
}
