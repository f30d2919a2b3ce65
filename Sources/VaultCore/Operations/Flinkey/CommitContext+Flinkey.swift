import FlinkeyEngine
import SecureMemory
import VaultCrypto
import WireCoding

/// The operations of flinkey records, but for renewals.
extension CommitContext {
  /// Stores credentials, or the box of a user.
  func store(
    _ storing: FlinkeyStoring, _ environment: FlinkeyEnvironment, in name: NamespaceName
  ) throws(VaultError) -> FlinkeyStored {
    switch storing {
    case .credentials(let credentials, let dropsTokens):
      _ = try flinkeyNamespace(name, FlinkeyTenant.identifier(environment))
      let earlier = try tenant(environment, in: name)
      // The API token was got with the earlier ones, and whoever gets another one has those in hand.
      try put(FlinkeyTenant(credentials), environment, in: name)
      let dropped = dropsTokens ? try dropTokens(environment, in: name) : 0
      if dropped > 0 {
        markErasure()
      } else if earlier != nil {
        markErasure(isRestrictive: false)
      }
      return FlinkeyStored(replaced: earlier != nil, dropped: dropped)
    case .box(let box, let id):
      let account = FlinkeyAccount(id, in: environment)
      _ = try flinkeyNamespace(name, account.identifier)
      var user = try self.user(account, in: name) ?? FlinkeyUser()
      let replaced = user.box.map { $0 != box } ?? false
      user.box = box
      try put(user, account, in: name)
      return FlinkeyStored(replaced: replaced, dropped: 0)
    }
  }

  /// Tells how a user stands, with the Tapkey token when it lives for so many seconds yet.
  func flinkeyToken(
    _ account: FlinkeyAccount, _ seconds: Int64, in name: NamespaceName
  ) throws(VaultError) -> FlinkeyStanding {
    try flinkeyNamespace(name, account.identifier).checkFlinkeyUse()
    let (user, tenant) = try flinkeyRecords(account, in: name)
    return standing(user, tenant, seconds, givesToken: true)
  }

  /// Blocks a user: the tokens go, and none is got until ``unblock(_:in:)``.
  ///
  /// - Returns: whether the user was not blocked before.
  func block(
    _ account: FlinkeyAccount, in name: NamespaceName
  ) throws(VaultError) -> Bool {
    _ = try flinkeyNamespace(name, account.identifier)
    var user = try self.user(account, in: name) ?? FlinkeyUser()
    // Who is blocked has neither tokens nor a step in hand.
    guard user.block == nil else { return false }
    try release(user.lease, account.environment, in: name)
    user.block(.ordered)
    try put(user, account, in: name)
    markErasure()
    return true
  }

  /// Ends the block of a user.
  ///
  /// - Returns: whether the user was blocked.
  func unblock(
    _ account: FlinkeyAccount, in name: NamespaceName
  ) throws(VaultError) -> Bool {
    _ = try flinkeyNamespace(name, account.identifier)
    guard var user = try user(account, in: name), user.block != nil else { return false }
    user.unblock()
    try put(user, account, in: name)
    return true
  }

  /// Forgets a user: tokens, the box and a step in hand; only a block stays.
  ///
  /// - Returns: whether there was one of these.
  func forget(
    _ account: FlinkeyAccount, in name: NamespaceName
  ) throws(VaultError) -> Bool {
    _ = try flinkeyNamespace(name, account.identifier)
    guard var user = try user(account, in: name),
      user.hasToken || user.box != nil || user.lease != nil
    else { return false }
    try release(user.lease, account.environment, in: name)
    user.dropTokens()
    user.box = nil
    try put(user, account, in: name)
    markErasure()
    return true
  }

  // MARK: - Records

  /// The namespace, living; the line tells by a digest which record the call is about.
  func flinkeyNamespace(
    _ name: NamespaceName, _ identifier: String
  ) throws(VaultError) -> NamespaceEntry {
    entry.detailDigest = BLAKE2b.hash(Array(identifier.utf8).span)
    guard let namespace = try living(name) else { throw VaultError(LedgerError.namespaceMissing) }
    return namespace
  }

  /// The record of a tenant, `nil` when there is none.
  func tenant(
    _ environment: FlinkeyEnvironment, in name: NamespaceName
  ) throws(VaultError) -> FlinkeyTenant? {
    guard let found = try open(.flinkey, FlinkeyTenant.identifier(environment), in: name) else {
      return nil
    }
    return try FlinkeyTenant(opening: found)
  }

  /// The record of a user, `nil` when there is none.
  func user(
    _ account: FlinkeyAccount, in name: NamespaceName
  ) throws(VaultError) -> FlinkeyUser? {
    guard let found = try open(.flinkey, account.identifier, in: name) else { return nil }
    return try FlinkeyUser(opening: found)
  }

  /// Both records of a user, without what has certainly ended; that goes from the database, too.
  func flinkeyRecords(
    _ account: FlinkeyAccount, in name: NamespaceName
  ) throws(VaultError) -> (FlinkeyUser, FlinkeyTenant?) {
    var user = try self.user(account, in: name) ?? FlinkeyUser()
    if user.dropEnded(at: certainlyPast) { try put(user, account, in: name) }
    var tenant = try tenant(account.environment, in: name)
    if tenant?.apiToken?.lives(0, at: certainlyPast) == false {
      tenant?.apiToken = nil
      if let tenant { try put(tenant, account.environment, in: name) }
    }
    return (user, tenant)
  }

  func put(
    _ tenant: FlinkeyTenant, _ environment: FlinkeyEnvironment, in name: NamespaceName
  ) throws(VaultError) {
    let content = try tenant.encode()
    try ledger { writer throws(LedgerError) in
      _ = try writer.put(content, .flinkey, FlinkeyTenant.identifier(environment), in: name)
    }
  }

  /// Stores a user's record, or takes it away when it says nothing.
  ///
  /// - Throws: ``VaultError`` `too_large` when the record is a new one more than there may be; a block is
  ///   stored all the same.
  func put(
    _ user: FlinkeyUser, _ account: FlinkeyAccount, in name: NamespaceName
  ) throws(VaultError) {
    let id = account.identifier
    guard !user.isEmpty else {
      _ = try ledger { writer throws(LedgerError) in try writer.delete(.flinkey, id, in: name) }
      return
    }
    if user.isNew {
      // Whoever is to be kept out comes before those who want in.
      try checkRoom(
        for: user.block == nil ? FlinkeyLimits.users : FlinkeyLimits.blockedUsers, in: name)
    }
    let content = try user.encode()
    try ledger { writer throws(LedgerError) in
      _ = try writer.put(content, .flinkey, id, in: name)
    }
  }

  /// Sees that there may be one more user.
  private func checkRoom(for bound: Int, in name: NamespaceName) throws(VaultError) {
    let users = try ledger { writer throws(LedgerError) in
      try writer.contents(of: name).headers.count {
        $0.kind == .flinkey && $0.id.hasPrefix(FlinkeyUser.prefix)
      }
    }
    guard users < bound else {
      throw VaultError(
        .tooLarge,
        "the namespace has \(users) flinkey users: forget some, or use another one",
        field: "user")
    }
  }

  /// Gives up the tenant's part of a step that is not to go on.
  func release(
    _ lease: FlinkeyLease?, _ environment: FlinkeyEnvironment, in name: NamespaceName
  ) throws(VaultError) {
    guard let lease, lease.step == .apiToken, var tenant = try tenant(environment, in: name),
      tenant.lease?.id == lease.id
    else { return }
    tenant.lease = nil
    try put(tenant, environment, in: name)
  }

  /// Drops the tokens of all users of an environment; who is blocked stays so.
  private func dropTokens(
    _ environment: FlinkeyEnvironment, in name: NamespaceName
  ) throws(VaultError) -> Int64 {
    let suffix = "/" + environment.rawValue
    let identifiers = try ledger { writer throws(LedgerError) in
      try writer.contents(of: name).headers.filter {
        $0.kind == .flinkey && $0.id.hasPrefix(FlinkeyUser.prefix) && $0.id.hasSuffix(suffix)
      }.map(\.id)
    }
    var dropped: Int64 = 0
    for id in identifiers {
      guard
        let number = Int64(id.dropFirst(FlinkeyUser.prefix.count).dropLast(suffix.count)),
        case let account = FlinkeyAccount(number, in: environment), account.identifier == id,
        var user = try user(account, in: name)
      else { throw VaultError(.damaged, "a record of a flinkey user has a name of no user") }
      if user.hasToken { dropped += 1 }
      user.dropTokens()
      try put(user, account, in: name)
    }
    return dropped
  }
}

extension NamespaceEntry {
  /// Sees that tokens may be given out and got.
  ///
  /// - Throws: `key_unusable` while the namespace is suspended.
  func checkFlinkeyUse() throws(VaultError) {
    guard state != .suspended else { throw .suspended }
  }
}
