public import WireCoding

/// The parameters of `audit.tail`: which lines of the audit log.
public struct AuditTailParams: VaultParams {
  enum Member: String, MemberName {
    case after, before, limit, method, namespace, uid, code, since, until, follow
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .after: .optional(VaultLimits.counts)
    case .before: .optional(.integer(VaultLimits.numbers))
    case .limit: .optional(.integer(1...VaultLimits.pageLimit))
    case .method: .optional(.text(1...64))
    case .namespace: .optional(.namespace)
    case .uid: .optional(.integer(0...Int64(UInt32.max)))
    case .code: .optional(.choice(RPCErrorCode.allCases.map(\.name)))
    case .since, .until: .optional(.timestamp)
    case .follow: .optional(.boolean)
    }
  }

  /// Only lines behind this one, the first of them first.
  public var after: Int64?
  /// Only lines before this one; without ``after``, the last of them.
  public var before: Int64?
  /// The most lines.
  public var limit: Int64
  /// Only calls of this method; a `*` at its end stands for any rest.
  public var method: String?
  /// Only calls for this namespace and those below it.
  public var namespace: NamespaceName?
  /// Only calls of this user.
  public var uid: Int64?
  /// Only calls that were refused with this code.
  public var code: RPCErrorCode?
  /// Only lines from this time on.
  public var since: Timestamp?
  /// Only lines before this time.
  public var until: Timestamp?
  /// Whether the caller waits for lines.
  public var follow = false

  /// Makes the parameters, for the last lines of all.
  ///
  /// - Parameter limit: the most lines.
  public init(limit: Int64 = VaultLimits.defaultPageLimit) {
    self.limit = limit
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    self.init()
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .after: after = try object.integer(&reader)
      case .before: before = try object.integer(&reader)
      case .limit: limit = try object.integer(&reader)
      case .method: method = try object.text(&reader)
      case .namespace: namespace = try object.namespace(&reader)
      case .uid: uid = try object.integer(&reader)
      case .code:
        let word = try object.word(&reader)
        code = RPCErrorCode.allCases.first { $0.name == word }
      case .since: since = try object.timestamp(&reader)
      case .until: until = try object.timestamp(&reader)
      case .follow: follow = try object.boolean(&reader)
      }
    }
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.optional("after", after)
    writer.optional("before", before)
    writer.name("limit")
    writer.integer(limit)
    writer.optional("method", method)
    writer.optional("namespace", namespace?.rawValue)
    writer.optional("uid", uid)
    writer.optional("code", code?.name)
    writer.optional("since", since?.description)
    writer.optional("until", until?.description)
    if follow {
      writer.name("follow")
      writer.boolean(true)
    }
    writer.endObject()
  }
}
