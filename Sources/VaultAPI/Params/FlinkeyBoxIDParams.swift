public import WireCoding

/// The parameters of `flinkey.box_id`: exactly one of `box_id` and `physical_lock_id`.
public struct FlinkeyBoxIDParams: VaultParams {
  enum Member: String, MemberName {
    case namespace
    case boxID = "box_id"
    case physicalLockID = "physical_lock_id"
    case command
    case feedback
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .namespace: .required(.namespace)
    case .boxID: .optional(.text(11...11))
    case .physicalLockID: .optional(.text(8...8))
    case .command: .optional(.object(FlinkeyBoxCommand.table.fields))
    case .feedback: .optional(.base64(0...VaultLimits.flinkeyFeedbackOctets))
    }
  }

  /// The namespace.
  public var namespace: NamespaceName
  /// The box ID, such as `C1-08-F0-94`.
  public var boxID: String?
  /// The physical lock ID, such as `BADBCPCU`.
  public var physicalLockID: String?
  /// What the box is to be told.
  public var command: FlinkeyBoxCommand?
  /// What the box has answered.
  public var feedback: [UInt8]?

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - namespace: the namespace.
  ///   - boxID: the box ID, such as `C1-08-F0-94`.
  ///   - physicalLockID: the physical lock ID, such as `BADBCPCU`.
  ///   - command: what the box is to be told.
  ///   - feedback: what the box has answered.
  public init(
    namespace: NamespaceName, boxID: String? = nil, physicalLockID: String? = nil,
    command: FlinkeyBoxCommand? = nil, feedback: [UInt8]? = nil
  ) {
    self.namespace = namespace
    self.boxID = boxID
    self.physicalLockID = physicalLockID
    self.command = command
    self.feedback = feedback
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var namespace: NamespaceName?
    var boxID: String?
    var physicalLockID: String?
    var command: FlinkeyBoxCommand?
    var feedback: [UInt8]?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .namespace: namespace = try object.namespace(&reader)
      case .boxID: boxID = try object.text(&reader)
      case .physicalLockID: physicalLockID = try object.text(&reader)
      case .command: command = try object.nested(&reader, FlinkeyBoxCommand.init(from:))
      case .feedback: feedback = try object.base64(&reader)
      }
    }
    try object.exactlyOne(.boxID, .physicalLockID)
    self.namespace = try object.required(namespace, .namespace)
    self.boxID = boxID
    self.physicalLockID = physicalLockID
    self.command = command
    self.feedback = feedback
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("namespace")
    writer.string(namespace.rawValue)
    writer.optional("box_id", boxID)
    writer.optional("physical_lock_id", physicalLockID)
    if let command {
      writer.name("command")
      command.encode(into: &writer)
    }
    if let feedback {
      writer.name("feedback")
      writer.base64(feedback)
    }
    writer.endObject()
  }
}
