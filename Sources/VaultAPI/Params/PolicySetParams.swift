public import WireCoding

/// The parameters of `policy.set`: the policy that shall be in force.
public struct PolicySetParams: VaultParams {
  enum Member: String, MemberName {
    case policy, revision, dryRun = "dry_run"
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .policy: .required(.lines(1...VaultLimits.policyOctets))
    case .revision: .optional(.integer(VaultLimits.numbers))
    case .dryRun: .optional(.boolean)
    }
  }

  /// The text of the policy.
  public var policy: String
  /// The revision it is to replace, `nil` for whichever is in force.
  public var revision: Int64?
  /// Whether it is only looked at, and nothing changed.
  public var dryRun: Bool

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - policy: the text of the policy.
  ///   - revision: the revision it is to replace, `nil` for whichever is in force.
  ///   - dryRun: whether it is only looked at, and nothing changed.
  public init(policy: String, revision: Int64? = nil, dryRun: Bool = false) {
    self.policy = policy
    self.revision = revision
    self.dryRun = dryRun
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var policy: String?
    var revision: Int64?
    var dryRun: Bool?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .policy: policy = try object.lines(&reader)
      case .revision: revision = try object.integer(&reader)
      case .dryRun: dryRun = try object.boolean(&reader)
      }
    }
    self.policy = try object.required(policy, .policy)
    self.revision = revision
    self.dryRun = dryRun ?? false
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("policy")
    writer.string(policy)
    writer.optional("revision", revision)
    writer.name("dry_run")
    writer.boolean(dryRun)
    writer.endObject()
  }
}
