package import AccessPolicy
package import NokeEngine
package import WireCoding

/// What one audit line says, before the committer numbers and chains it.
///
/// ``AuditField`` says which member of the line each field becomes, and why no free text of a caller
/// and no secret can stand there.
package struct AuditEntry: Sendable {
  /// On whose behalf a call runs.
  package struct Subject: Hashable, Sendable {
    /// Who asked, as the kernel says; the daemon itself for what nobody asked for.
    package var caller: Caller
    /// The socket the call came in by, `nil` for the daemon itself.
    package var endpoint: Endpoint?
    /// The revision of the policy that allowed the call; `nil` for the daemon itself, whom no policy
    /// binds.
    package var policy: Int64?

    /// Makes a subject.
    package init(_ caller: Caller, by endpoint: Endpoint? = nil, policy: Int64? = nil) {
      self.caller = caller
      self.endpoint = endpoint
      self.policy = policy
    }

    /// Too many callers to be told apart.
    static let unknown = Subject(.unknown)

    /// What two subjects of one user and unit have in common; process 0 stands for several.
    func common(with other: Subject) -> Subject {
      let one = caller
      return Subject(
        Caller(
          uid: one.uid, gid: one.gid, groups: one.groups,
          pid: one.pid == other.caller.pid ? one.pid : 0, unit: one.unit),
        by: endpoint == other.endpoint ? endpoint : nil,
        policy: policy == other.policy ? policy : nil)
    }
  }

  /// Who asked.
  package var subject: Subject
  /// The method, from the vault's own list.
  package var method: StaticString
  /// The namespace's name, checked against its grammar.
  package var namespace: NamespaceName?
  /// The namespace's 16-octet identifier, once it is known.
  package var namespaceID: NamespaceID?
  /// The version of the key that was used.
  package var keyVersion: Int64?
  /// The class of the refusal, `nil` when the call succeeded.
  package var code: VaultError.Code?
  /// Why the policy, or the socket, denied the call.
  package var reason: DenialReason?
  /// How many namespaces were revoked together, or how many calls the line stands for.
  package var count: Int64?
  /// What was wrong with the calls that the line stands for, when it is for those that were turned
  /// away.
  package var denials = DenialCounts()
  /// BLAKE2b-256 of what the call was about (a signed digest, a policy, a session), or SHA-256 of a pass's access
  /// document, for later comparison.
  package var detailDigest: [UInt8]?
  /// The lock that the call was about.
  package var lock: NokeMAC?
  /// What the lock has answered, as the caller reports it.
  package var reported: NokeResponse?
  /// The step of a flinkey renewal whose inputs were handed out, or whose outcome came.
  package var step: FlinkeyStep?
  /// Whether the caller asserted that its user had confirmed.
  package var isUserConfirmed = false
  /// Whether the line takes something away, and so must be applied again after a restore.
  package var isRestrictive = false

  /// Makes an entry for a call.
  package init(
    _ method: StaticString, by subject: Subject, namespace: NamespaceName? = nil,
    detailDigest: [UInt8]? = nil
  ) {
    self.method = method
    self.subject = subject
    self.namespace = namespace
    self.detailDigest = detailDigest
  }
}

extension AuditEntry {
  /// The methods of lines that tell of no call of a method; `latchkey-audit(5)` says what each is.
  package static let ownMethods = [
    "audit.tail.follow", "calls.refused", "clock.synchronised", "connection.cut",
    "connection.refused", "erasure.complete", "policy.set.dry_run", "request.refused",
    "vault.damage", "vault.recovered", "vault.start", "vault.stop", "vault.upgrade",
  ]
}
