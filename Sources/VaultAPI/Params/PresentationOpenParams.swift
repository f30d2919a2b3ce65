public import WireCoding

/// The parameters of `presentation.open`: whose credential meets which reader.
///
/// On the wire `intent`, `reader_versions` and `version` come with the transport `ble`, and with no
/// other.
public struct PresentationOpenParams: VaultParams {
  enum Member: String, MemberName {
    case namespace, transport, intent, readerVersions = "reader_versions", version
    case userConfirmed = "user_confirmed"
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .namespace: .required(.namespace)
    case .transport: .required(.choice(PresentationTransport.allCases.map(\.rawValue)))
    case .intent: .optional(.choice(PresentationIntent.allCases.map(\.rawValue)))
    case .readerVersions: .optional(.base64(2...32, multipleOf: 2))
    case .version: .optional(.base64(2...2))
    case .userConfirmed: .optional(.boolean)
    }
  }

  /// The namespace.
  public var namespace: NamespaceName
  /// How the reader is reached.
  public var link: PresentationLink
  /// Whether the caller asserts that the user has just confirmed the action, for one transaction.
  public var userConfirmed: Bool

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - namespace: the namespace.
  ///   - link: how the reader is reached.
  ///   - userConfirmed: whether the caller asserts that the user has just confirmed the action, for one
  ///     transaction.
  public init(namespace: NamespaceName, link: PresentationLink, userConfirmed: Bool = false) {
    self.namespace = namespace
    self.link = link
    self.userConfirmed = userConfirmed
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var namespace: NamespaceName?
    var transport: PresentationTransport?
    var intent: PresentationIntent?
    var readerVersions: [UInt8]?
    var version: [UInt8]?
    var userConfirmed: Bool?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .namespace: namespace = try object.namespace(&reader)
      case .transport: transport = try object.choice(&reader)
      case .intent: intent = try object.choice(&reader)
      case .readerVersions: readerVersions = try object.base64(&reader)
      case .version: version = try object.base64(&reader)
      case .userConfirmed: userConfirmed = try object.boolean(&reader)
      }
    }
    self.namespace = try object.required(namespace, .namespace)
    let found = try object.required(transport, .transport)
    switch found {
    case .ble:
      link = .ble(
        intent: try object.required(intent, .intent, with: .transport, found),
        readerVersions: try object.required(
          readerVersions, .readerVersions, with: .transport, found),
        version: try object.required(version, .version, with: .transport, found))
    case .nfc:
      try object.refuse(.intent, .readerVersions, .version, with: .transport, found)
      link = .nfc
    }
    self.userConfirmed = userConfirmed ?? false
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("namespace")
    writer.string(namespace.rawValue)
    writer.name("transport")
    writer.string(link.transport.rawValue)
    if case .ble(let intent, let readerVersions, let version) = link {
      writer.name("intent")
      writer.string(intent.rawValue)
      writer.name("reader_versions")
      writer.base64(readerVersions)
      writer.name("version")
      writer.base64(version)
    }
    if userConfirmed {
      writer.name("user_confirmed")
      writer.boolean(true)
    }
    writer.endObject()
  }
}
