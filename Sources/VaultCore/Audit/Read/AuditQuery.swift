package import WireCoding

/// Which lines of the log somebody asks for.
package struct AuditQuery: Sendable {
  /// Only lines behind this one, the first of them first.
  package var after: Int64?
  /// Only lines before this one; without ``after``, the last of them.
  package var before: Int64?
  /// The most lines.
  package var limit: Int
  /// Only calls of this method; a `*` at its end stands for any rest.
  package var method: String?
  /// Only calls for this namespace and those below it.
  package var namespace: NamespaceName?
  /// Only calls of this user.
  package var uid: UInt32?
  /// Only calls that were refused with this code.
  package var code: VaultError.Code?
  /// Only lines from this time on, Unix seconds.
  package var since: Int64?
  /// Only lines before this time, Unix seconds.
  package var until: Int64?
  /// Whether the log is being followed: what the asking process has read of it itself is left out.
  package var isFollowing = false

  /// Asks for the last lines.
  package init(limit: Int) {
    self.limit = limit
  }

  /// Whether a line is asked for.
  func matches(_ record: CallRecord) -> Bool {
    method.map { Self.matches(record.method, $0) } ?? true
      && namespace.map { record.namespace?.isWithin($0) ?? false } ?? true
      && uid.map { $0 == record.uid } ?? true && code.map { $0 == record.code } ?? true
      && since.map { $0 <= record.time.seconds } ?? true
      && until.map { $0 > record.time.seconds } ?? true
  }

  private static func matches(_ method: String, _ pattern: String) -> Bool {
    pattern.hasSuffix("*") ? method.hasPrefix(pattern.dropLast()) : method == pattern
  }
}
