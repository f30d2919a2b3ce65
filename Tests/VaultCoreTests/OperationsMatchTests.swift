import AliroEngine
import Foundation
import SecureMemory
import Testing
import VaultCrypto
import VaultStore
import WireCoding

@testable import VaultCore

/// Which namespace an advertisement is meant for; the advertisement is the published vectors'.
@Suite struct OperationsMatchTests {
  private static let vector = TestPass.vector("advertisement")
  static let address = octets("advertisingAddress")
  static let advertisement = octets("advertisingData")
  /// A group that begins as the advertisement says.
  static let group = Array(advertisement[9..<17]) + [UInt8](repeating: 0xAA, count: 8)

  private static func octets(_ name: String) -> [UInt8] {
    (vector[name].flatMap { try? Hex.decode($0) }) ?? []
  }

  static func key(_ group: Int = 0, isRight: Bool = true) throws -> GroupResolvingKey {
    var key = octets("groupResolvingKey")
    if !isRight { key[15] ^= 1 }
    return GroupResolvingKey(group: group, key: try SecretBytes(copying: key.span))
  }

  /// A namespace with a pass for the advertising group, and another.
  @discardableResult
  static func door(
    _ test: CommitTestVault, _ name: String, _ keys: [GroupResolvingKey] = []
  ) throws -> P256PublicKey {
    let key = try test.publicKey(name, .presentation).value.key
    var group = TestPass.group()
    group.groupIdentifier = Self.group
    try test.storePass(
      TestPass.pass(for: key, groups: [group, TestPass.group(3)]), resolvingKeys: keys, name)
    return key
  }

  static func match(
    _ test: CommitTestVault, _ advertisement: [UInt8] = advertisement, in name: String? = nil,
    by subject: AuditEntry.Subject = CommitTestVault.subject
  ) throws -> AdvertisementMatches {
    try test.ask {
      test.worker.matchAdvertisement(
        advertisement, address: Self.address, in: try name.map { try NamespaceName($0) },
        by: subject, $0)
    }
  }

  static func names(_ matches: AdvertisementMatches) -> [String: Bool] {
    Dictionary(
      matches.matches.map { ($0.namespace.rawValue, $0.isVerified) }, uniquingKeysWith: { $1 })
  }

  @Test func `finds by the group, and by the resolving key where there is one`() throws {
    var test = try CommitTestVault()
    #expect(try Self.match(test).matches == [])
    try Self.door(test, "keyed", [Self.key()])
    try Self.door(test, "plain")
    try Self.door(test, "foreign", [Self.key(isRight: false)])
    try test.door("elsewhere")
    for _ in 0..<2 {
      let found = try Self.match(test)
      #expect(Self.names(found) == ["keyed": true, "plain": false])
      #expect(found.isConnectable && !found.hasMore)
      #expect(found.matches.allSatisfy { $0.readerGroup == Self.group })
      #expect(Self.names(try Self.match(test, in: "keyed")) == ["keyed": true])
      #expect(try Self.match(test, in: "foreign").matches == [])
      #expect(try Self.match(test, in: "elsewhere").matches == [])
      #expect(code { _ = try Self.match(test, in: "nowhere") } == .notFound)
      test = try test.restarted()
    }
    var other = Self.advertisement
    other[9] ^= 1
    #expect(try Self.match(test, other).matches == [])
    var off = Self.advertisement
    off[7] = 0
    #expect(try !Self.match(test, off).isConnectable)
    #expect(
      code { _ = try Self.match(test, Array(Self.advertisement.dropLast())) } == .invalidParameters)
    let log = try AuditLog(test).lines.filter { $0.method == "presentation.match" }
    // Four of each round were answered, and those that found nothing have their lines as well.
    #expect(log.count { $0.code == nil } == 2 * 4 + 3)
    #expect(log.count { $0.code == "not_found" } == 2)
    #expect(log.count { $0.code == "invalid_params" } == 1)
  }

  @Test func `what a pass no longer has is not found any more`() throws {
    let test = try CommitTestVault()
    let key = try Self.door(test, "replaced", [Self.key()])
    try Self.door(test, "deleted")
    try Self.door(test, "revoked")
    #expect(try Self.match(test).matches.count == 3)
    try test.storePass(TestPass.pass(for: key), "replaced")
    #expect(try test.records(of: "replaced") == ["key/presentation/1", "pass/pass"])
    try test.deletePass("deleted")
    try test.revoke("revoked")
    #expect(try Self.match(test).matches == [])
    #expect(
      try test.directory.database.openReader().integer("SELECT count(*) FROM reader_group") == 1)
  }

  @Test func `resolving keys are for groups of the pass, one each, of 16 octets`() throws {
    let test = try CommitTestVault()
    let key = try test.publicKey("door", .presentation).value.key
    let short = GroupResolvingKey(group: 0, key: try SecretBytes(random: 15))
    let cases: [([GroupResolvingKey], Int)] = try [
      ([Self.key(1)], 1), ([Self.key(-1)], -1), ([Self.key(), Self.key()], 0), ([short], 0),
    ]
    for (keys, index) in cases {
      do {
        try test.storePass(TestPass.pass(for: key), resolvingKeys: keys, "door")
        Issue.record("A resolving key for no group was taken.")
      } catch let error as VaultError {
        #expect(error.field == "pass.reader_groups[\(index)].group_resolving_key")
      }
    }
  }

  /// Adds many namespaces with a key for the advertising group, whose passes nothing looks at.
  static func crowd(
    _ test: CommitTestVault, _ numbers: Range<Int>, isRight: Bool = false,
    behind suffix: String = ""
  ) throws {
    let keys = try GroupResolvingKeys([key(isRight: isRight)], of: [group])
    _ = try test.ask { reply in
      test.vault.committer.submit(
        .mutation(AuditEntry("test", by: CommitTestVault.subject)) { context throws(VaultError) in
          for number in numbers {
            guard let name = try? NamespaceName("crowd/\(number)\(suffix)") else { continue }
            _ = try context.create(name)
            let record = try keys.encode()
            try context.ledger { writer throws(LedgerError) in
              try writer.put(record, .readerContext, GroupResolvingKeys.identifier, in: name)
              try writer.setReaderGroups([FoundGroup(group, isKeyed: true)], of: name)
            }
          }
        } finish: {
          reply($0.map { _ in })
        })
    }
  }

  @Test func `lists a bounded number of namespaces, verified ones first, and says there are more`()
    throws
  {
    let test = try CommitTestVault()
    let limit = VaultWorker.matchLimit
    for index in 0..<limit { try Self.door(test, "plain/\(index)") }
    try Self.door(test, "keyed", [Self.key()])
    let found = try Self.match(test)
    #expect(found.matches.count == limit && found.hasMore)
    #expect(found.matches.first?.namespace.rawValue == "keyed")
    #expect(found.matches.map(\.isVerified) == [true] + [Bool](repeating: false, count: limit - 1))
    let doors = (0..<limit).map { "plain/\($0)" }
    let left = try #require(doors.first { Self.names(found)[$0] == nil })
    #expect(Self.names(try Self.match(test, in: left)) == [left: false])
    try test.revoke(left)
    let all = try Self.match(test)
    #expect(all.matches.count == limit && !all.hasMore)
  }

  @Test func `others of the same prefix do not hide a pass, nor fill the cache, up to a bound`()
    throws
  {
    let test = try CommitTestVault()
    try Self.door(test, "keyed", [Self.key()])
    try Self.door(test, "plain")
    try Self.crowd(test, 0..<VaultWorker.candidateLimit - 2)
    var found = try Self.match(test)
    #expect(Self.names(found) == ["keyed": true, "plain": false] && !found.hasMore)
    #expect(test.vault.cache.find(try NamespaceName("crowd/1")) == nil)
    #expect(test.vault.cache.find(try NamespaceName("keyed")) != nil)
    // One more, and what comes last is not looked at any more.
    try Self.crowd(test, 2_000..<2_001)
    found = try Self.match(test)
    #expect(found.hasMore && Self.names(found)["plain"] == nil)
    #expect(Self.names(try Self.match(test, in: "plain")) == ["plain": false])
  }

  @Test func `a group with a key that does not verify is not listed for a group without one`()
    throws
  {
    let test = try CommitTestVault()
    // Two groups of one pass that begin alike.
    let key = try test.publicKey("both", .presentation).value.key
    var groups = [TestPass.group(), TestPass.group()]
    groups[0].groupIdentifier = Self.group
    groups[1].groupIdentifier = Self.group.prefix(15) + [0xBB]
    let pass = TestPass.pass(for: key, groups: groups)
    for (isRight, index) in [(false, 0), (false, 1), (true, 0), (true, 1)] {
      try test.storePass(pass, resolvingKeys: [Self.key(index, isRight: isRight)], "both")
      for name in [nil, "both"] {
        let found = try Self.match(test, in: name).matches
        let other = groups[1 - index].groupIdentifier
        let own = groups[index].groupIdentifier
        #expect(found.map(\.readerGroup) == (isRight ? [own, other] : [other]))
        #expect(found.map(\.isVerified) == (isRight ? [true, false] : [false]))
      }
    }
  }

  @Test func `many damaged candidates leave a bounded number of lines, and hide nobody`() throws {
    let test = try CommitTestVault()
    try Self.crowd(test, 0..<100, isRight: true)
    // Their keys verify, but they have no pass at all.
    #expect(code { _ = try Self.match(test) } == .damaged)
    try Self.door(test, "plain")
    #expect(Self.names(try Self.match(test)) == ["plain": false])
    let lines = try AuditLog(test).lines.filter { $0.method == "presentation.match" }
    #expect(lines.count { $0.namespace == nil && $0.code == "damaged" } <= 2 * 64 + 1)
  }

  @Test func `a match finished before a revocation does not go out after it`() throws {
    let held = HeldCall(["presentation.match"])
    let test = try CommitTestVault(hooks: held.hooks)
    try Self.door(test, "stays", [Self.key()])
    try Self.door(test, "gone", [Self.key()])
    let answer: Answer<AdvertisementMatches> = try held.holding(
      test,
      {
        $0.matchAdvertisement(
          Self.advertisement, address: Self.address, in: nil, by: CommitTestVault.subject, $1)
      },
      { try test.revoke("gone") })
    #expect(Self.names(try answer.get()) == ["stays": true])
  }

  private static let hurt = "(SELECT id FROM namespace WHERE name = 'hurt')"

  @Test(arguments: [
    "DELETE FROM reader_group WHERE namespace_id = \(hurt)",
    "INSERT INTO reader_group VALUES (zeroblob(16), 1, 'hurt', \(hurt))",
    "INSERT INTO reader_group VALUES (zeroblob(16), 0, 'hurt', \(hurt))",
    "UPDATE reader_group SET name = 'spare' WHERE namespace_id = \(hurt)",
    "UPDATE reader_group SET name = 'nowhere' WHERE namespace_id = \(hurt)",
    "UPDATE reader_group SET name = 'No/name' WHERE namespace_id = \(hurt)",
    "UPDATE reader_group SET keyed = 0 WHERE namespace_id = \(hurt)",
    "UPDATE reader_group SET keyed = 1 WHERE namespace_id = \(hurt)",
    "UPDATE reader_group SET namespace_id = \(hurt) WHERE namespace_id ="
      + " (SELECT id FROM namespace WHERE name = 'spare')",
  ])
  func `rows that are not those of the pass are damage, named, and a new pass heals it`(
    _ sql: String
  ) throws {
    let test = try CommitTestVault()
    let key = try Self.door(test, "hurt", [Self.key()])
    try Self.door(test, "fine", [Self.key()])
    try test.door("spare")
    test.vault.close()
    try test.directory.tamper(sql)
    let again = try CommitTestVault(test.directory)
    #expect(code { try again.describePass("hurt") } == .damaged, "\(sql)")
    #expect(try again.open("hurt").value.refusal?.code == .damaged, "\(sql)")
    // What is whole is found all the same.
    #expect(Self.names(try Self.match(again)) == ["fine": true], "\(sql)")
    #expect(code { _ = try Self.match(again, in: "hurt") } == .damaged, "\(sql)")
    try again.publicKey("hurt", .presentation)
    try again.storePass(TestPass.pass(for: key), "hurt")
    #expect(try again.describePass("hurt").refusal == nil, "\(sql)")
  }

  @Test func `rows that lead to a tombstone or to nothing are damage when nothing else matches`()
    throws
  {
    let test = try CommitTestVault()
    try Self.door(test, "gone")
    test.vault.close()
    let copy = try LedgerTestVault(copying: test.directory)
    let whole = try CommitTestVault(copy)
    try whole.revoke("gone")
    whole.vault.close()
    // The row of the time before the revocation, put back.
    try copy.tamper(
      "INSERT INTO reader_group SELECT * FROM other.reader_group", attach: test.directory)
    let tombstone = try CommitTestVault(copy)
    #expect(code { _ = try Self.match(tombstone) } == .damaged)
    #expect(
      try AuditLog(tombstone).lines.contains {
        $0.method == "presentation.match" && $0.code == "damaged"
      })
    try Self.door(tombstone, "new", [Self.key()])
    #expect(Self.names(try Self.match(tombstone)) == ["new": true])
    tombstone.vault.close()
    try copy.tamper("UPDATE OR REPLACE reader_group SET namespace_id = zeroblob(16)")
    let nothing = try CommitTestVault(copy)
    #expect(code { _ = try Self.match(nothing) } == .damaged)
  }
}
