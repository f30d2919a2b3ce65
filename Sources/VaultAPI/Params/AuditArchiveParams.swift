public import WireCoding

/// The parameters of `audit.archive`: up to where the audit log was put away.
public struct AuditArchiveParams: VaultParams {
  enum Member: String, MemberName {
    case through, head
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .through: .required(.integer(VaultLimits.numbers))
    case .head: .required(.hex(32))
    }
  }

  /// The number of the last line to be removed, with which a closed segment ends.
  public var through: Int64
  /// The digest of that line, which shows that what was put away is this log.
  public var head: [UInt8]

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - through: the number of the last line to be removed, with which a closed segment ends.
  ///   - head: the digest of that line, which shows that what was put away is this log.
  public init(through: Int64, head: [UInt8]) {
    self.through = through
    self.head = head
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var through: Int64?
    var head: [UInt8]?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .through: through = try object.integer(&reader)
      case .head: head = try object.hex(&reader)
      }
    }
    self.through = try object.required(through, .through)
    self.head = try object.required(head, .head)
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("through")
    writer.integer(through)
    writer.name("head")
    writer.string(Hex.encode(head.span))
    writer.endObject()
  }
}
