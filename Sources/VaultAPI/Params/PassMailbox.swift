public import WireCoding

/// The mailbox that comes with a pass: octets that readers may read or write.
public struct PassMailbox: VaultParams, Hashable {
  enum Member: String, MemberName {
    case size, readable, writable, stepUp = "step_up"
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .size: .required(.integer(VaultLimits.mailboxOctets))
    case .readable: .required(.boolean)
    case .writable: .required(.boolean)
    case .stepUp: .required(.boolean)
    }
  }

  /// How many octets it has.
  public var size: Int64
  /// Whether readers may read it.
  public var readable: Bool
  /// Whether readers may write it.
  public var writable: Bool
  /// Whether it may be used in the step-up phase.
  public var stepUp: Bool

  /// Makes the settings.
  ///
  /// - Parameters:
  ///   - size: how many octets it has.
  ///   - readable: whether readers may read it.
  ///   - writable: whether readers may write it.
  ///   - stepUp: whether it may be used in the step-up phase.
  public init(size: Int64, readable: Bool, writable: Bool, stepUp: Bool) {
    self.size = size
    self.readable = readable
    self.writable = writable
    self.stepUp = stepUp
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var size: Int64?
    var readable: Bool?
    var writable: Bool?
    var stepUp: Bool?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .size: size = try object.integer(&reader)
      case .readable: readable = try object.boolean(&reader)
      case .writable: writable = try object.boolean(&reader)
      case .stepUp: stepUp = try object.boolean(&reader)
      }
    }
    self.size = try object.required(size, .size)
    self.readable = try object.required(readable, .readable)
    self.writable = try object.required(writable, .writable)
    self.stepUp = try object.required(stepUp, .stepUp)
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("size")
    writer.integer(size)
    writer.name("readable")
    writer.boolean(readable)
    writer.name("writable")
    writer.boolean(writable)
    writer.name("step_up")
    writer.boolean(stepUp)
    writer.endObject()
  }
}
