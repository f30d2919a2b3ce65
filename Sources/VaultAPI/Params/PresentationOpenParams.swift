public import WireCoding

/// The parameters of `presentation.open`: whose credential meets which reader.
public struct PresentationOpenParams: VaultParams {
  enum Member: String, MemberName {
    case namespace, transport, intent, readerVersions = "reader_versions", version
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .namespace: .required(.namespace)
    case .transport: .required(.choice(PresentationTransport.allCases.map(\.rawValue)))
    case .intent: .required(.choice(PresentationIntent.allCases.map(\.rawValue)))
    case .readerVersions: .required(.base64(2...32, multipleOf: 2))
    case .version: .required(.base64(2...2))
    }
  }

  /// The namespace.
  public var namespace: NamespaceName
  /// How the reader is reached.
  public var transport: PresentationTransport
  /// What the user wants of the lock.
  public var intent: PresentationIntent
  /// The version list as the reader's GATT characteristic holds it.
  public var readerVersions: [UInt8]
  /// The version the gateway has chosen.
  public var version: [UInt8]

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - namespace: the namespace.
  ///   - transport: how the reader is reached.
  ///   - intent: what the user wants of the lock.
  ///   - readerVersions: the version list as the reader's GATT characteristic holds it.
  ///   - version: the version the gateway has chosen.
  public init(
    namespace: NamespaceName, transport: PresentationTransport, intent: PresentationIntent,
    readerVersions: [UInt8], version: [UInt8]
  ) {
    self.namespace = namespace
    self.transport = transport
    self.intent = intent
    self.readerVersions = readerVersions
    self.version = version
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
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .namespace: namespace = try object.namespace(&reader)
      case .transport: transport = try object.choice(&reader)
      case .intent: intent = try object.choice(&reader)
      case .readerVersions: readerVersions = try object.base64(&reader)
      case .version: version = try object.base64(&reader)
      }
    }
    self.namespace = try object.required(namespace, .namespace)
    self.transport = try object.required(transport, .transport)
    self.intent = try object.required(intent, .intent)
    self.readerVersions = try object.required(readerVersions, .readerVersions)
    self.version = try object.required(version, .version)
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("namespace")
    writer.string(namespace.rawValue)
    writer.name("transport")
    writer.string(transport.rawValue)
    writer.name("intent")
    writer.string(intent.rawValue)
    writer.name("reader_versions")
    writer.base64(readerVersions)
    writer.name("version")
    writer.base64(version)
    writer.endObject()
  }
}
