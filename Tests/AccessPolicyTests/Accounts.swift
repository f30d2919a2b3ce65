import AccessPolicy

/// Accounts of the tests' own.
struct Accounts: AccountDirectory {
  var users: [String: UInt32] = ["root": 0, "alice": 1000, "bob": 1001]
  var groups: [String: UInt32] = ["root": 0, "ops": 2000, "staff": 2001]

  func user(named name: String) -> UInt32? { users[name] }
  func group(named name: String) -> UInt32? { groups[name] }
}

extension PolicyInForce {
  /// Reads and looks up a policy, its version line left out.
  init(reading rules: String, revision: Int64 = 1) throws(PolicyFault) {
    self.init(
      try Policy("policy 1\n" + rules, methods: nil), revision: revision, accounts: Accounts())
  }
}

extension Caller {
  /// A caller without a process.
  static func of(
    _ uid: UInt32, _ gid: UInt32 = 100, _ groups: [UInt32] = [], unit: String? = nil
  ) -> Caller {
    Caller(uid: uid, gid: gid, groups: groups, pid: 1, unit: unit)
  }
}
