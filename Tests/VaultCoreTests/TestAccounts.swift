@testable import VaultCore

/// The accounts of a machine that is not there.
struct TestAccounts: AccountSource {
  var users: [String: UInt32] = ["alice": 1000, "bob": 1001, "gate": 2000]
  var groups: [String: UInt32] = ["ops": 500, "doors": 501, "empty": 502]
  var members: [UInt32: [UInt32]] = [1000: [100, 500], 2000: [501]]

  func user(named name: String) -> UInt32? { users[name] }
  func group(named name: String) -> UInt32? { groups[name] }
  func groups(ofUser number: UInt32) -> [UInt32] { members[number] ?? [] }
  func canConnect(user number: UInt32) -> Bool { users.values.contains(number) }
  func hasMember(group number: UInt32) -> Bool { members.values.contains { $0.contains(number) } }
}
