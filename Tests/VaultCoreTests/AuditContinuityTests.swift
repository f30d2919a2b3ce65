import Foundation
import Glibc
import Testing

@testable import VaultCore

/// Closed segments that are removed, cut or replaced.
@Suite struct AuditContinuityTests {
  /// A vault with closed segments, closed itself.
  private static func vault() throws -> LedgerTestVault {
    let test = try CommitTestVault(settings: AuditRotationTests.small)
    try test.publicKey("a")
    for _ in 0..<30 { try test.sign("a") }
    test.vault.close()
    return test.directory
  }

  private static func first(_ name: String) -> Int { Int(name.dropLast(6)) ?? 0 }

  @Test func `a closed segment that was removed is told at each start, by its lines`() throws {
    let directory = try Self.vault()
    let names = try AuditRotationTests.segments(directory)
    for index in 0..<(names.count - 2) {
      let copy = try LedgerTestVault(copying: directory)
      try FileManager.default.removeItem(atPath: copy.path + "/audit/" + names[index])
      let words =
        "audit lines \(Self.first(names[index])) to \(Self.first(names[index + 1]) - 1) are missing:"
        + " a segment was removed"
      for _ in 0..<2 {
        let test = try CommitTestVault(copy, settings: AuditRotationTests.small)
        #expect(test.damage == [words], "\(names[index])")
        try test.sign("a")
        test.vault.close()
      }
    }
  }

  @Test(arguments: ["cut", "emptied", "another's", "extended", "its checkpoint edited"])
  func `a closed segment that was changed at its end is told at each start`(_ how: String) throws {
    let directory = try Self.vault()
    let other = try Self.vault()
    let names = try AuditRotationTests.segments(directory)
    let path = directory.path + "/audit/" + names[1]
    var text = try Data(contentsOf: URL(filePath: path))
    switch how {
    case "cut": text = text.dropLast(700)
    case "emptied": text = Data()
    case "another's":
      let name = try AuditRotationTests.segments(other)[1]
      text = try Data(contentsOf: URL(filePath: other.path + "/audit/" + name))
    case "extended": text += Data("{}\n".utf8)
    default: text[text.count - 100] ^= 1
    }
    try text.write(to: URL(filePath: path))
    for _ in 0..<2 {
      let test = try CommitTestVault(directory, settings: AuditRotationTests.small)
      let (segment, next) = (Self.first(names[1]), Self.first(names[2]))
      let words =
        how == "emptied"
        ? "audit lines \(segment) to \(next - 1) are missing: a segment was removed"
        : "audit segment \(segment) was changed or removed after it was closed"
      #expect(test.damage == [words])
      try test.sign("a")
      test.vault.close()
    }
  }

  @Test func `a closed segment that is changed or removed while the vault runs is told once`()
    throws
  {
    let test = try CommitTestVault(settings: AuditRotationTests.small)
    try test.publicKey("a")
    for _ in 0..<30 { try test.sign("a") }
    try test.checkpoint()
    let names = try AuditRotationTests.segments(test.directory)
    #expect(test.damage == [])
    let audit = test.directory.path + "/audit/"
    try FileManager.default.removeItem(atPath: audit + names[0])
    unsafe truncate(audit + names[2], 50)
    for _ in 0..<3 { try test.checkpoint() }
    #expect(
      test.damage
        == [names[0], names[2]].map {
          "audit segment \(Self.first($0)) was changed or removed after it was closed"
        })
    let newest = try #require(try AuditRotationTests.segments(test.directory).last)
    let text = try String(contentsOfFile: audit + newest, encoding: .utf8)
    #expect(text.split(separator: "\n").count { $0.contains("\"vault.damage\"") } <= 2)
    // Archiving past them ends the matter.
    try test.sign("a")
  }
}
