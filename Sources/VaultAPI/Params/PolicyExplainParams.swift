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

  /// What a call asks about.
  public enum Question: Hashable, Sendable {
    /// A call that somebody might make.
    case call(SupposedCall)
    /// The call of the audit line of this number.
    case line(Int64)
  }

  /// What is asked about.
  public var question: Question

  /// Makes the parameters.
  ///
  /// - Parameter question: what is asked about.
  public init(_ question: Question) {
    self.question = question
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var question: Question?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .call: question = .call(try object.nested(&reader, SupposedCall.init(from:)))
      case .seq: question = .line(try object.integer(&reader))
      }
    }
    try object.exactlyOne(.call, .seq)
    self.question = try object.required(question, .call)
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    switch question {
    case .call(let call):
      writer.name("call")
      call.encode(into: &writer)
    case .line(let seq):
      writer.name("seq")
      writer.integer(seq)
    }
    writer.endObject()
  }
}
