import Testing
import VaultCrypto
import WireCoding

@testable import AliroEngine

/// When a pass could never open a door; the documents are cbor2's.
@Suite struct HopelessnessTests {
  private static let flaws: [String: PassFlaw] = [
    "expired": .expired, "allowsNothing": .allowsNothing, "schedulesOver": .schedulesOver,
    "revocationData": .revocationData, "revokesNothing": .revokesNothing,
    "entriesOver": .entriesOver,
  ]

  private static func pass(_ document: Vector) throws -> ValidatedPass {
    ValidatedPass(document: try AccessDocument(document.hex), trust: [])
  }

  private func access(_ flaw: PassFlaw) -> AliroError {
    .pass(field: "access_document", flaw: flaw)
  }

  @Test(arguments: Vector.documents.hopes.list)
  func `judges what the document alone makes certain`(hope: Vector) throws {
    let pass = try Self.pass(hope.document)
    let expected = Self.flaws[hope.flaw.text]
    #expect((expected == nil) == hope.flaw.text.isEmpty)
    #expect(pass.hopelessness(at: time("2026-07-01T12:00:00Z")) == expected.map(access))
  }

  @Test(arguments: Vector.documents.revocationHopes.list)
  func `judges what a revocation document alone makes certain`(hope: Vector) throws {
    let pass = ValidatedPass(
      document: try AccessDocument(Vector.documents.access.hex), trust: [],
      revocation: try RevocationDocument(hope.document.hex))
    let expected = Self.flaws[hope.flaw.text]
    #expect((expected == nil) == hope.flaw.text.isEmpty)
    #expect(
      pass.hopelessness(at: time("2026-07-01T12:00:00Z"))
        == expected.map { .pass(field: "revocation_document", flaw: $0) })
  }

  @Test func `a pass is hopeless once it is over, and not before it begins`() throws {
    let pass = try Self.pass(Vector.all.accessDocument.document)
    #expect(pass.hopelessness(at: .earliest) == nil)
    // Its one schedule ends with the year, before the pass does.
    #expect(pass.hopelessness(at: time("2027-01-01T00:00:00Z")) == nil)
    #expect(pass.hopelessness(at: time("2027-01-01T00:00:01Z")) == access(.schedulesOver))
    #expect(pass.hopelessness(at: time("2027-01-15T00:00:00Z")) == access(.schedulesOver))
    #expect(pass.hopelessness(at: time("2027-01-15T00:00:01Z")) == access(.expired))
    #expect(pass.hopelessness(at: .latest) == access(.expired))
  }
}
