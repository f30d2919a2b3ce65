import AccessPolicy
import NokeEngine
import WireCoding

/// A member of an audit line; together, in order, they are what a line consists of.
///
/// Lines are written from this table alone, and `latchkey-audit(5)` describes it. A field is what its
/// class says: no secret fits any of the classes, and no text that a caller chose freely.
package enum AuditField: String, CaseIterable, Sendable {
  case seq, time, uid, pid, unit, endpoint, method, namespace
  case namespaceID = "namespace_id"
  case keyVersion = "key_version"
  case outcome, code, reason, policy, count, forbidden, malformed
  case rateLimited = "rate_limited"
  case detailDigest = "detail_digest"
  case lock, reported
  case step
  case userConfirmed = "user_confirmed"
  case restrictive, prev

  /// What may stand in a field, and so why it can hold no secret.
  package enum Redaction: String, CaseIterable, Sendable {
    /// Made by the vault of nothing that a caller has sent: a time, a random identifier.
    case madeByVault = "made_by_vault"
    /// What the kernel says of the caller.
    case kernel
    /// A public name, checked against its grammar.
    case identifier
    /// BLAKE2b-256 or SHA-256, as hexadecimal digits.
    case digest
    /// A word of a list that the vault has.
    case word
    /// A count of the vault's own.
    case number
  }

  /// The member's name.
  package var name: String { rawValue }

  /// What may stand in it.
  package var redaction: Redaction {
    switch self {
    case .time, .namespaceID: .madeByVault
    case .uid, .pid: .kernel
    case .unit, .namespace, .lock: .identifier
    case .detailDigest, .prev: .digest
    case .endpoint, .method, .outcome, .code, .reason, .reported, .step, .userConfirmed,
      .restrictive:
      .word
    case .seq, .keyVersion, .policy, .count, .forbidden, .malformed, .rateLimited: .number
    }
  }

  /// A value as JSON has it.
  enum Value: Hashable, Sendable {
    case number(Int64)
    case time(Timestamp)
    case text(String)
    /// Written as hexadecimal digits.
    case octets([UInt8])
    /// The word `true`; what is not so is left out.
    case yes
  }

  /// What a line has in the field; `nil` leaves it out.
  func value(in line: AuditLine) -> Value? {
    let entry = line.entry
    return switch self {
    case .seq: .number(line.sequence)
    case .time: .time(Timestamp(clamping: line.time))
    case .uid: .number(Int64(entry.subject.caller.uid))
    case .pid: .number(Int64(entry.subject.caller.pid))
    case .unit: entry.subject.caller.unit.map { .text($0) }
    case .endpoint: entry.subject.endpoint.map { .text($0.rawValue) }
    case .method: .text(entry.method.description)
    case .namespace: entry.namespace.map { .text($0.rawValue) }
    case .namespaceID: entry.namespaceID.map { .octets($0.bytes) }
    case .keyVersion: entry.keyVersion.map { .number($0) }
    case .outcome: .text(entry.code == nil && entry.denials.total == 0 ? "ok" : "refused")
    case .code: entry.code.map { .text($0.rawValue) }
    case .reason: entry.reason.map { .text($0.rawValue) }
    case .policy: entry.subject.policy.map { .number($0) }
    case .count: entry.count.map { .number($0) }
    case .forbidden: Self.some(entry.denials.forbidden)
    case .malformed: Self.some(entry.denials.malformed)
    case .rateLimited: Self.some(entry.denials.rateLimited)
    case .detailDigest: entry.detailDigest.map { .octets($0) }
    case .lock: entry.lock.map { .text($0.description) }
    case .reported: entry.reported.map { .text($0.word) }
    case .step: entry.step.map { .text($0.rawValue) }
    case .userConfirmed: entry.isUserConfirmed ? .yes : nil
    case .restrictive: entry.isRestrictive ? .yes : nil
    case .prev: .octets(line.previous)
    }
  }

  private static func some(_ count: Int64) -> Value? {
    count == 0 ? nil : .number(count)
  }
}

extension AuditField.Value {
  /// Writes the value.
  func write(into json: inout JSONWriter) {
    switch self {
    case .number(let number): json.integer(number)
    case .time(let time): json.timestamp(time)
    case .text(let text): json.string(text)
    case .octets(let octets): json.hex(octets.span)
    case .yes: json.boolean(true)
    }
  }
}
