public import WireCoding

/// The parameters of `clock.set_floor`: from which time on the vault takes the machine's clock.
public struct ClockSetFloorParams: VaultParams {
  enum Member: String, MemberName {
    case time
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .time: .required(.timestamp)
    }
  }

  /// The time, which is not later than the machine's clock.
  public var time: Timestamp

  /// Makes the parameters.
  ///
  /// - Parameter time: the time, which is not later than the machine's clock.
  public init(time: Timestamp) {
    self.time = time
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var time: Timestamp?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .time: time = try object.timestamp(&reader)
      }
    }
    self.time = try object.required(time, .time)
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("time")
    writer.string(time.description)
    writer.endObject()
  }
}
