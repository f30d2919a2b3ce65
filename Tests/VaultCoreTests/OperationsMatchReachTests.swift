import Testing

@testable import VaultCore

/// What of an advertisement's group a caller finds that may not match every namespace.
@Suite struct OperationsMatchReachTests {
  private typealias Tests = OperationsMatchTests

  @Test func `namespaces that the caller may not match neither show nor count`() throws {
    let test = try CommitTestVault()
    func find() throws -> AdvertisementMatches { try Tests.match(test, by: test.gate) }
    try test.govern([
      ("gateway", "own/** late"), ("key.*", "**"), ("presentation.match", "zone/*"),
    ])
    #expect(try find().matches == [])
    let names = ["own/back", "own/front", "zone/gate"]
    for name in names { try Tests.door(test, name, name == "zone/gate" ? [Tests.key()] : []) }
    let alone = try find()
    #expect(Tests.names(alone) == ["own/back": false, "own/front": false, "zone/gate": true])
    // More than are looked at, keyed and not, before, among and behind the caller's own.
    for name in ["foreign", "own", "own-too", "zone/gate/inner"] {
      try Tests.door(test, name, [Tests.key()])
    }
    try Tests.crowd(test, 0..<VaultWorker.candidateLimit + 2, isRight: true)
    for index in 0..<VaultWorker.matchLimit { try Tests.door(test, "plain/\(index)") }
    let among = try find()
    #expect(among.matches == alone.matches && !among.hasMore)
    // Damage among them is not the caller's either.
    #expect(code { _ = try Tests.match(test) } == .damaged)
    try test.govern([("gateway", "elsewhere/**")])
    #expect(try find().matches == [])
    try Tests.door(test, "late")
    try test.govern([("gateway", "late")])
    #expect(Tests.names(try find()) == ["late": false])
  }

  @Test func `children far apart among others of the group are found all the same`() throws {
    let test = try CommitTestVault()
    try test.govern([("key.*", "**"), ("presentation.match", "crowd/*")])
    try Tests.crowd(test, 0..<VaultWorker.gapLimit + 5, isRight: true, behind: "/door")
    try Tests.door(test, "crowd/own", [Tests.key()])
    let found = try Tests.match(test, by: test.gate)
    #expect(Tests.names(found) == ["crowd/own": true] && !found.hasMore)
    #expect(try AuditLog(test).lines.count { $0.method == "presentation.match" } == 1)
  }
}
