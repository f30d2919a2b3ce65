public import WireCoding

/// The parameters of `presentation.match`: what a reader advertises, and from where.
public struct PresentationMatchParams: VaultParams {
  enum Member: String, MemberName {
    case advertisement, address, namespace
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .advertisement: .required(.base64(31...31))
    case .address: .required(.base64(6...6))
    case .namespace: .optional(.namespace)
    }
  }

  /// The whole advertisement as it was received.
  public var advertisement: [UInt8]
  /// The address it came from, most significant octet first.
  public var address: [UInt8]
  /// The only namespace to look at, instead of all.
  public var namespace: NamespaceName?

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - advertisement: the whole advertisement as it was received.
  ///   - address: the address it came from, most significant octet first.
  ///   - namespace: the only namespace to look at, instead of all.
  public init(advertisement: [UInt8], address: [UInt8], namespace: NamespaceName? = nil) {
    self.advertisement = advertisement
    self.address = address
    self.namespace = namespace
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var advertisement: [UInt8]?
    var address: [UInt8]?
    var namespace: NamespaceName?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .advertisement: advertisement = try object.base64(&reader)
      case .address: address = try object.base64(&reader)
      case .namespace: namespace = try object.namespace(&reader)
      }
    }
    self.advertisement = try object.required(advertisement, .advertisement)
    self.address = try object.required(address, .address)
    self.namespace = namespace
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("advertisement")
    writer.base64(advertisement)
    writer.name("address")
    writer.base64(address)
    if let namespace {
      writer.name("namespace")
      writer.string(namespace.rawValue)
    }
    writer.endObject()
  }
}
