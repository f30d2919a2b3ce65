import Testing

@testable import NokeEngine

/// What locks answer, and how locks are named.
@Suite struct NokeReportTests {
  private func response(_ octets: UInt8...) throws -> NokeResponse {
    try NokeResponse((octets + [UInt8](repeating: 0, count: 20 - octets.count)).hex)
  }

  @Test func `tells whom a response is for`() throws {
    #expect(try response(0x50, 0x60) == .forServer)
    #expect(try response(0x52, 0x60) == .forLock)
    for octet in UInt8.min...UInt8.max where !(0x50...0x52).contains(octet) {
      #expect(try response(octet, 0x60) == .unknown(octet))
    }
  }

  @Test func `knows the results of the table and no others`() throws {
    let table: [UInt8: (NokeResult, String)] = [
      0x60: (.success(command: 0xA2), "success"), 0x61: (.wrongKey, "wrong_key"),
      0x62: (.notUnderstood, "not_understood"), 0x63: (.noPermission, "no_permission"),
      0x64: (.shuttingDown(.unknown(0xA2), isTimeout: true), "shutting_down"),
      0x65: (.invalidData, "invalid_data"), 0x66: (.battery, "battery"),
      0x68: (.lockFailed, "lock_failed"), 0x69: (.unlockFailed, "unlock_failed"),
      0x6A: (.shackleFailed, "shackle_failed"), 0x6D: (.outsideSchedule, "outside_schedule"),
      0x6F: (.freeExit, "free_exit"), 0xFF: (.invalid, "invalid"),
    ]
    for octet in UInt8.min...UInt8.max {
      let (result, word) = table[octet] ?? (.unknown(octet), "unknown")
      #expect(try response(0x51, octet, 0xA2) == .result(result))
      #expect(result.word == word)
    }
  }

  @Test func `a diagnostic packet is no success`() throws {
    #expect(try response(0x51, 0x60, 1, 0, 0x9B) == .result(.diagnostic))
    #expect(try response(0x51, 0x60, 1, 0x9B, 0x9A) == .result(.success(command: 1)))
    #expect(try response(0x51, 0x61, 1, 0, 0x9B) == .result(.wrongKey))
    #expect(NokeResult.diagnostic.word == "diagnostic")
  }

  @Test func `a lock says why it goes to sleep, and how it stands`() throws {
    let states: [(NokeLockState, String)] = [
      (.unlocked, "unlocked"), (.unshackled, "unshackled"), (.locked, "locked"),
      (.jammedUnlocking, "jammed_unlocking"), (.jammedLocking, "jammed_locking"),
      (.unknown(5), "unknown"),
    ]
    for (octet, (state, word)) in states.enumerated() {
      for reason in UInt8.min...UInt8.max {
        #expect(
          try response(0x51, 0x64, UInt8(octet), reason)
            == .result(.shuttingDown(state, isTimeout: reason != 1)))
      }
      #expect(state.word == word)
    }
    let unknown = try response(0x51, 0x64, 255, 1)
    #expect(unknown == .result(.shuttingDown(.unknown(255), isTimeout: false)))
  }

  @Test func `refuses a response of another length, or of other characters`() {
    let error = NokeError.parameter("response", due: "40 hexadecimal digits")
    for count in 0..<100 where count != 40 {
      let digits = String(repeating: "5", count: count)
      #expect(throws: error) { _ = try NokeResponse(digits) }
    }
    for text in [String(repeating: "g", count: 40), String(repeating: " ", count: 40)] {
      #expect(throws: error) { _ = try NokeResponse(text) }
    }
  }

  @Test func `reads an address in both forms and writes it in one`() throws {
    for text in ["CB:BC:87:3B:CB:D7", "cb:bc:87:3b:cb:d7", "CBBC873BCBD7", "cbbc873bcbd7"] {
      let address = try NokeMAC(text)
      #expect(address.description == "CB:BC:87:3B:CB:D7")
      #expect(address.octets == [0xCB, 0xBC, 0x87, 0x3B, 0xCB, 0xD7])
    }
  }

  @Test(arguments: [
    "", "CB", "CBBC873BCBD", "CBBC873BCBD70", "CB:BC:87:3B:CB", "CB:BC:87:3B:CB:D7:",
    ":CB:BC:87:3B:CB:D", "CB-BC-87-3B-CB-D7", "CBB:C87:3BC:BD7", "CB:BC873BCBD7",
    "CB:BC:87:3B:CBD7", "CB:BC:87:3B:CB:DG", "GBBC873BCBD7", " CBBC873BCBD7", "CBBC873BCBD7 ",
    "CB:BC:87:3B:CB-D7",
    "CBBC873BCBD7CBBC873BCBD7", "CB::BC:87:3B:CBD7", "01234567890123456", "012345:78:01:34:6",
  ])
  func `refuses an address in another form`(text: String) {
    let due = "12 hexadecimal digits, or six pairs of them with colons"
    #expect(throws: NokeError.parameter("lock", due: due)) { _ = try NokeMAC(text, field: "lock") }
  }

  @Test func `the two environments have the words of the interface`() {
    #expect(NokeEnvironment.allCases.map(\.rawValue) == ["sandbox", "production"])
  }
}
