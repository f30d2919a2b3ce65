public import WireCoding

/// What a box is to be told.
public struct FlinkeyBoxCommand: VaultParams {
  enum Member: String, MemberName {
    case action
    case readNFC = "read_nfc"
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .action: .required(.choice(FlinkeyBoxActionName.allCases.map(\.rawValue)))
    case .readNFC: .optional(.boolean)
    }
  }

  /// What it is to do.
  public var action: FlinkeyBoxActionName
  /// Whether it reads the NFC tags in it as well; not unless given.
  public var readNFC: Bool?

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - action: what it is to do.
  ///   - readNFC: whether it reads the NFC tags in it as well; not unless given.
  public init(
    action: FlinkeyBoxActionName, readNFC: Bool? = nil
  ) {
    self.action = action
    self.readNFC = readNFC
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var action: FlinkeyBoxActionName?
    var readNFC: Bool?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .action: action = try object.choice(&reader)
      case .readNFC: readNFC = try object.boolean(&reader)
      }
    }
    self.action = try object.required(action, .action)
    self.readNFC = readNFC
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("action")
    writer.string(action.rawValue)
    if let readNFC {
      writer.name("read_nfc")
      writer.boolean(readNFC)
    }
    writer.endObject()
  }
}
