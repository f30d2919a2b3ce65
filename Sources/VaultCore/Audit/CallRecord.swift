package import AccessPolicy
package import WireCoding

/// What an audit line says of the call that it is for.
package struct CallRecord: Hashable, Sendable {
  /// Its number.
  package let sequence: Int64
  /// When it was written.
  package let time: Timestamp
  /// The user who called.
  package let uid: UInt32
  /// The process that called.
  package let pid: Int32
  /// The unit of that process.
  package let unit: String?
  /// The socket that the call came in by, `nil` for what the daemon did by itself.
  package let endpoint: Endpoint?
  /// The method.
  package let method: String
  /// The namespace that the call named.
  package let namespace: NamespaceName?
  /// The class of the refusal, `nil` when the call succeeded.
  package let code: VaultError.Code?
  /// Why it was denied, in the word of the line.
  package let reason: String?
  /// The revision of the policy that it was judged by.
  package let policy: Int64?

  /// The method that the policy was asked about: some calls of one are recorded by a word of their own.
  package var governedMethod: String {
    switch method {
    case "policy.set.dry_run": "policy.set"
    case AuditSearch.following.description: AuditSearch.method.description
    default: method
    }
  }

  /// Reads a line; `nil` when it is none that this release writes.
  ///
  /// - Parameter line: the line, with or without its line feed.
  init?(_ line: Span<UInt8>) {
    guard let value = try? JSONValue(line),
      let sequence = value[AuditField.seq.name]?.number,
      let written = value[AuditField.time.name]?.text, let time = try? Timestamp(written),
      let uid = value[AuditField.uid.name]?.number.flatMap({ UInt32(exactly: $0) }),
      let pid = value[AuditField.pid.name]?.number.flatMap({ Int32(exactly: $0) }),
      let method = value[AuditField.method.name]?.text
    else { return nil }
    func text(_ field: AuditField) -> String? { value[field.name]?.text }
    self.sequence = sequence
    self.time = time
    self.uid = uid
    self.pid = pid
    self.method = method
    unit = text(.unit)
    endpoint = text(.endpoint).flatMap { Endpoint(rawValue: $0) }
    namespace = text(.namespace).flatMap { try? NamespaceName($0) }
    code = text(.code).flatMap { VaultError.Code(rawValue: $0) }
    reason = text(.reason)
    policy = value[AuditField.policy.name]?.number
  }
}
