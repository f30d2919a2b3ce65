public import WireCoding

/// The parameters of `presentation.close`: which session ends.
public struct PresentationCloseParams: VaultParams {
  enum Member: String, MemberName {
    case presentation
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .presentation: .required(.hex(PresentationID.count))
    }
  }

  /// The session, on the connection that opened it.
  public var presentation: PresentationID

  /// Makes the parameters.
  ///
  /// - Parameter presentation: the session, on the connection that opened it.
  public init(presentation: PresentationID) {
    self.presentation = presentation
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var presentation: PresentationID?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .presentation: presentation = PresentationID(try object.hex(&reader))
      }
    }
    self.presentation = try object.required(presentation, .presentation)
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("presentation")
    writer.string(presentation.description)
    writer.endObject()
  }
}
