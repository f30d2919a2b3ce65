import AccessPolicy
import VaultCore

/// The first admin: an account of this machine, by its number.
struct AdminAccount: Equatable, Sendable {
  /// A user or a group.
  enum Kind: String, Sendable {
    case user, group
  }

  let kind: Kind
  /// The uid or gid.
  let number: UInt32
  /// What was typed.
  let name: String

  /// Looks an account up.
  ///
  /// - Parameter text: `user:NAME`, `group:NAME`, a user's bare name, or a number instead of a name.
  /// - Throws: ``CommandFailure`` ``ExitCode/usage`` when it names nobody.
  init(_ text: String) throws(CommandFailure) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    switch parts.count {
    case 1: (kind, name) = (.user, parts[0])
    case 2:
      guard let kind = Kind(rawValue: parts[0]) else {
        throw .usage("--admin takes user:NAME, group:NAME or the name of a user")
      }
      (self.kind, name) = (kind, parts[1])
    default: throw .usage("--admin takes user:NAME, group:NAME or the name of a user")
    }
    guard !name.isEmpty, !name.utf8.contains(0) else { throw .usage("--admin names nobody") }
    let accounts = SystemAccounts()
    let found = kind == .user ? accounts.user(named: name) : accounts.group(named: name)
    guard let number = found ?? PolicyLine.account(name) else {
      throw .usage("there is no \(kind.rawValue) \(DisplayText.fit(name, 64)) on this machine")
    }
    // A number may be one that this machine has no name for.
    let canCome =
      switch kind {
      case .user: number != SystemAccounts.overflowUser
      case .group: found == nil || accounts.hasMember(group: number)
      }
    guard canCome else {
      throw .usage(
        "\(kind.rawValue) \(DisplayText.fit(name, 64)) is nobody who could administer the vault")
    }
    self.number = number
  }

  /// The account as the first policy names it.
  var policyText: String { "\(kind.rawValue):\(number)" }

  /// The account for people.
  var description: String {
    let id = kind == .user ? "uid" : "gid"
    return "\(kind.rawValue) \(name) (\(id) \(number))"
  }
}
