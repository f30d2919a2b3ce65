/// How many calls a line stands for, by what was wrong with them.
package struct DenialCounts: Hashable, Sendable {
  /// Calls, and connections, that nobody has allowed the caller.
  package var forbidden: Int64 = 0
  /// Lines that were no request, of no known method, or had a parameter that was refused.
  package var malformed: Int64 = 0
  /// Calls and connections beyond what the caller may have at a time.
  package var rateLimited: Int64 = 0

  /// Counts nothing.
  package init() {}

  /// All of them.
  package var total: Int64 { forbidden + malformed + rateLimited }
}
