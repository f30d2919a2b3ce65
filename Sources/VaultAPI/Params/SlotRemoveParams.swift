public import WireCoding

/// The parameters of `slot.remove`: which slot goes.
public struct SlotRemoveParams: VaultParams {
  enum Member: String, MemberName {
    case slot
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .slot: .required(VaultLimits.slots)
    }
  }

  /// The number of the slot.
  public var slot: Int64

  /// Makes the parameters.
  ///
  /// - Parameter slot: the number of the slot.
  public init(slot: Int64) {
    self.slot = slot
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var slot: Int64?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .slot: slot = try object.integer(&reader)
      }
    }
    self.slot = try object.required(slot, .slot)
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("slot")
    writer.integer(slot)
    writer.endObject()
  }
}
