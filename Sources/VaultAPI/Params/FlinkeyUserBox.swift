public import WireCoding

/// The box that a user opens.
public struct FlinkeyUserBox: VaultParams {
  enum Member: String, MemberName {
    case user
    case boxID = "box_id"
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .user: .required(.integer(VaultLimits.numbers))
    case .boxID: .required(.text(11...11))
    }
  }

  /// The flinkey user ID.
  public var user: Int64
  /// Its box ID, such as `C1-08-F0-94`.
  public var boxID: String

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - user: the flinkey user ID.
  ///   - boxID: its box ID, such as `C1-08-F0-94`.
  public init(
    user: Int64, boxID: String
  ) {
    self.user = user
    self.boxID = boxID
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var user: Int64?
    var boxID: String?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .user: user = try object.integer(&reader)
      case .boxID: boxID = try object.text(&reader)
      }
    }
    self.user = try object.required(user, .user)
    self.boxID = try object.required(boxID, .boxID)
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("user")
    writer.integer(user)
    writer.name("box_id")
    writer.string(boxID)
    writer.endObject()
  }
}
