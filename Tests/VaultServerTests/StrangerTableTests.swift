import Testing

@testable import VaultServer

/// Who is refused a connection without another look.
@Suite struct StrangerTableTests {
  private let start = Instant.now()

  @Test func `one who comes again and again is refused unseen, for the rest of a second`() {
    var table = StrangerTable()
    for _ in 0..<StrangerTable.patience {
      #expect(!table.isTiresome(1000, at: start))
      table.note(1000, at: start)
    }
    #expect(table.isTiresome(1000, at: start) && !table.isTiresome(1001, at: start))
    let later = start.advanced(seconds: 1)
    #expect(!table.isTiresome(1000, at: later))
    table.note(1000, at: later)
    #expect(!table.isTiresome(1000, at: later))
  }

  @Test func `many users take bounded memory`() {
    var table = StrangerTable()
    for user in 0..<100_000 as Range<UInt32> { table.note(user % 5_000, at: start) }
    let count = (0..<5_000 as Range<UInt32>).count { table.isTiresome($0, at: start) }
    #expect(count <= 1024)
  }
}
