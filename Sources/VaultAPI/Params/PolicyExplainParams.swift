public import WireCoding

/// The parameters of `policy.explain`: exactly one of `call` and `seq`.
public struct PolicyExplainParams: VaultParams {
  enum Member: String, MemberName {
    case call, seq
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .call: .optional(.object(SupposedCall.table.fields))
    case .seq: .optional(.integer(VaultLimits.numbers))
    }
  }

  /// The call to explain.
  public var call: SupposedCall?
  /// The number of the audit line to explain.
  public var seq: Int64?

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - call: the call to explain.
  ///   - seq: the number of the audit line to explain.
  public init(call: SupposedCall? = nil, seq: Int64? = nil) {
    self.call = call
    self.seq = seq
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var call: SupposedCall?
    var seq: Int64?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .call: call = try object.nested(&reader, SupposedCall.init(from:))
      case .seq: seq = try object.integer(&reader)
      }
    }
    try object.exactlyOne(.call, .seq)
    self.call = call
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    if let call {
      writer.name("call")
      call.encode(into: &writer)
    }
    if let seq {
      writer.name("seq")
      writer.integer(seq)
    }
    writer.endObject()
  }
}
