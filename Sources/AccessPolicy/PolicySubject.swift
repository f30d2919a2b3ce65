/// Whom a rule is for.
package enum PolicySubject: Hashable, Sendable, CustomStringConvertible {
  /// Callers with this effective user.
  case user(Account)
  /// Callers that have this group, as their own or as a supplementary one.
  case group(Account)
  /// Callers whose process belongs to this systemd unit, by its full name.
  case unit(String)

  /// A user or a group, as the policy names it.
  package enum Account: Hashable, Sendable, CustomStringConvertible {
    /// By its number.
    case number(UInt32)
    /// By its name, 1–64 octets of `[A-Za-z0-9_.-]`, not a number and not starting with `-`.
    case name(String)

    /// As it is written in a policy.
    package var description: String {
      switch self {
      case .number(let number): String(number)
      case .name(let name): name
      }
    }
  }

  /// As it is written in a policy: `user:alice`.
  package var description: String {
    switch self {
    case .user(let account): "user:\(account)"
    case .group(let account): "group:\(account)"
    case .unit(let name): "unit:\(name)"
    }
  }
}
