/// How many calls a line stands for, by what was wrong with them.
package struct DenialCounts: Hashable, Sendable {
  /// Calls, and connections, that nobody has allowed the caller.
  package private(set) var forbidden: Int64 = 0
  /// Lines that were no request, of no known method, or had a parameter that was refused.
  package private(set) var malformed: Int64 = 0
  /// Calls, and connections, beyond what the caller may have at a time.
  package private(set) var rateLimited: Int64 = 0
  /// Calls that need an unsealed vault.
  package private(set) var sealed: Int64 = 0

  /// Counts nothing.
  package init() {}

  /// Counts one call.
  package init(_ kind: DenialKind) {
    switch kind {
    case .forbidden: forbidden = 1
    case .malformed: malformed = 1
    case .rateLimited: rateLimited = 1
    case .sealed: sealed = 1
    }
  }

  /// All of them.
  package var total: Int64 { forbidden + malformed + rateLimited + sealed }

  /// Counts what others have counted.
  package mutating func add(_ other: DenialCounts) {
    forbidden += other.forbidden
    malformed += other.malformed
    rateLimited += other.rateLimited
    sealed += other.sealed
  }
}
