import Foundation
import SecureMemory
import Testing
import VaultCrypto
import VaultStore
import WireCoding

@testable import VaultCore

@Suite struct LedgerSlotTests {
  private let vault: LedgerTestVault

  init() throws {
    vault = try LedgerTestVault()
  }

  private func phrase(_ text: String) throws -> UnsealSecret {
    UnsealSecret(passphrase: try SecretBytes(copying: Array(text.utf8).span))
  }

  private func body(_ slot: Int64, in vault: LedgerTestVault) throws -> [UInt8] {
    let rows = try vault.database.openReader().slotRows()
    return try #require(rows.first { $0.slot == slot }).body
  }

  @Test func `every octet of a slot is covered by its checksum`() throws {
    let body = try body(1, in: vault)
    for index in body.indices {
      var changed = body
      changed[index] ^= 1
      #expect(throws: LedgerError.unseal(.damagedSlot), "octet \(index)") {
        _ = try UnsealSlot(SlotRow(slot: 1, body: changed))
      }
    }
    for count in 0..<body.count {
      #expect(throws: LedgerError.unseal(.damagedSlot)) {
        _ = try UnsealSlot(SlotRow(slot: 1, body: Array(body[..<count])))
      }
    }
  }

  @Test func `a header changed together with its checksum does not open`() throws {
    let body = try body(1, in: vault)
    // The label stands openly; "first" becomes "fjrst" and the checksum is made anew.
    let label = try #require(Data(body).range(of: Data("first".utf8)))
    var changed = Array(body.dropLast(32))
    changed[label.lowerBound + 1] ^= 3
    changed += BLAKE2b.hash(changed.span.extracting(0..<changed.count - 4))
    let slot = try UnsealSlot(SlotRow(slot: 1, body: changed))
    #expect(slot.header.label == "fjrst")
    #expect(throws: LedgerError.unseal(.wrongSecret)) {
      _ = try slot.open(with: try LedgerTestVault.secret(LedgerTestVault.first))
    }
  }

  @Test func `tells a damaged slot, a wrong secret and another vault apart`() throws {
    let (ledger, _) = try Ledger.open(vault.database)
    let wrong = [UInt8](repeating: 0x77, count: 32)
    #expect(throws: LedgerError.unseal(.wrongSecret)) {
      try ledger.openSlot(try LedgerTestVault.secret(wrong))
    }
    #expect(throws: LedgerError.unseal(.noSuchSlot)) { try ledger.openSlot(try phrase("x")) }
    #expect(throws: LedgerError.unseal(.noSuchSlot)) {
      try ledger.openSlot(try LedgerTestVault.secret(LedgerTestVault.first), slot: 9)
    }
    // Another vault's slot in the place of ours, opened with its own secret.
    let other = try LedgerTestVault()
    let open = try other.open()
    let foreign = try open.ledger.prepareSlot(
      try LedgerTestVault.secret(wrong), label: "foreign", created: 1)
    let copy = try LedgerTestVault(copying: vault)
    let hex = foreign.body.map { String(format: "%02x", $0) }.joined()
    try copy.tamper("UPDATE slot SET body = x'\(hex)' WHERE slot = 2")
    #expect(throws: LedgerError.unseal(.otherVault)) { try copy.open(wrong) }
    try copy.tamper("UPDATE slot SET body = zeroblob(100)")
    #expect(throws: LedgerError.unseal(.damagedSlot)) { try copy.open() }
  }

  @Test func `a passphrase opens its slot, and nothing else does`() throws {
    let open = try vault.open()
    let slot = try open.ledger.prepareSlot(
      try phrase("correct horse"), label: "recovery", created: 5)
    let number = try open.commit { try $0.addSlot(slot) }
    #expect(number == 3)
    let box = try open.ledger.openSlot(try phrase("correct horse"))
    #expect(box.slot == 3 && box.kind == .passphrase)
    #expect(try open.ledger.unseal(box).damage == [])
    #expect(throws: LedgerError.unseal(.wrongSecret)) {
      try open.ledger.openSlot(try phrase("correct horsf"))
    }
    let listing = try open.reader.read { snapshot throws(LedgerError) in try snapshot.slots() }
    #expect(listing.map(\.header?.label) == ["first", "second", "recovery"])
    #expect(listing.last?.header?.parameters == .moderate)
  }

  @Test(
    arguments: [
      [2, 262_144], [17, 262_144], [3, 262_143], [3, 1_048_577], [3, Int64.max], [-1, 262_144],
    ])
  func `costs out of bounds are refused before they are run`(_ costs: [Int64]) throws {
    var encoder = CanonicalEncoder("latchkey slot")
    encoder.integer(1)
    encoder.integer(1)
    encoder.octets([UInt8](repeating: 0, count: 16))
    encoder.text("")
    encoder.integer(0)
    encoder.integer(costs[0])
    encoder.integer(costs[1])
    encoder.octets([UInt8](repeating: 0, count: 16))
    encoder.octets([UInt8](repeating: 0, count: 24))
    encoder.octets([UInt8](repeating: 0, count: 48))
    encoder.octets(BLAKE2b.hash(encoder.bytes.span))
    #expect(throws: LedgerError.unseal(.damagedSlot)) {
      _ = try UnsealSlot(SlotRow(slot: 1, body: encoder.bytes))
    }
  }

  @Test func `the last whole slot stays`() throws {
    let open = try vault.open()
    try open.commit { try $0.removeSlot(2) }
    #expect(throws: LedgerError.lastSlot) { try open.commit { try $0.removeSlot(1) } }
    #expect(throws: LedgerError.slotMissing) { try open.commit { try $0.removeSlot(2) } }
    #expect(throws: LedgerError.unseal(.wrongSecret)) {
      try open.ledger.openSlot(try LedgerTestVault.secret(LedgerTestVault.second))
    }
    #expect(try open.ledger.proveAgain().damage == [])
  }

  @Test func `a slot whose twin is damaged counts as the last`() throws {
    try vault.tamper("UPDATE slot SET body = zeroblob(100) WHERE slot = 2")
    let open = try vault.open()
    #expect(throws: LedgerError.lastSlot) { try open.commit { try $0.removeSlot(1) } }
    try open.commit { try $0.removeSlot(2) }
    #expect(try open.ledger.proveAgain().damage == [])
  }

  @Test func `a vault holds 32 slots`() throws {
    let open = try vault.open()
    try open.commit { writer in
      for _ in 3...32 {
        let slot = try open.ledger.prepareSlot(
          try LedgerTestVault.secret(LedgerTestVault.first), label: "", created: 1)
        _ = try writer.addSlot(slot)
      }
      let slot = try open.ledger.prepareSlot(
        try LedgerTestVault.secret(LedgerTestVault.first), label: "", created: 1)
      #expect(throws: LedgerError.tooManySlots) { try writer.addSlot(slot) }
    }
    #expect(try open.ledger.proveAgain().damage == [])
  }
}
