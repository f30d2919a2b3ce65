public import WireCoding

/// The parameters of `hello`: who calls and what it speaks.
public struct HelloParams: VaultParams {
  enum Member: String, MemberName {
    case client
    case protocols = "protocol"
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .client: .optional(.text(1...64))
    case .protocols: .optional(.array(.integer(1...1_000_000), 1...32))
    }
  }

  /// What the client calls itself, for logs.
  public var client: String?
  /// The protocols versions the client speaks.
  public var protocols: [Int64]?

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - client: what the client calls itself, for logs.
  ///   - protocols: the protocols versions the client speaks.
  public init(client: String? = nil, protocols: [Int64]? = nil) {
    self.client = client
    self.protocols = protocols
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var client: String?
    var protocols: [Int64]?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .client: client = try object.text(&reader)
      case .protocols: protocols = try object.integers(&reader)
      }
    }
    self.client = client
    self.protocols = protocols
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.optional("client", client)
    if let protocols {
      writer.name("protocol")
      writer.beginArray()
      for number in protocols { writer.integer(number) }
      writer.endArray()
    }
    writer.endObject()
  }
}
