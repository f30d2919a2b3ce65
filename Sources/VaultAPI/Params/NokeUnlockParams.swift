public import WireCoding

/// The parameters of `noke.unlock`: for which lock and session, and which packet.
public struct NokeUnlockParams: VaultParams {
  enum Member: String, MemberName {
    case namespace, mac, session, embedTime = "embed_time", generation, requestId = "request_id"
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .namespace: .required(.namespace)
    case .mac: .required(.lockAddress)
    case .session: .required(.digits(20))
    case .embedTime: .optional(.boolean)
    case .generation: .optional(.choice(NokePairState.allCases.map(\.rawValue)))
    case .requestId: .optional(.text(1...VaultLimits.requestIdOctets))
    }
  }

  /// The namespace.
  public var namespace: NamespaceName
  /// The lock's address, 12 hexadecimal digits or six pairs of them with colons.
  public var mac: String
  /// What the lock has shown, 40 hexadecimal digits.
  public var session: String
  /// Whether the time goes into the packet.
  public var embedTime: Bool
  /// Which pair is to make it; without it, the one in use.
  public var generation: NokePairState?
  /// What the caller calls the request, to get the same packet for it once more.
  public var requestId: String?

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - namespace: the namespace.
  ///   - mac: the lock's address, 12 hexadecimal digits or six pairs of them with colons.
  ///   - session: what the lock has shown, 40 hexadecimal digits.
  ///   - embedTime: whether the time goes into the packet.
  ///   - generation: which pair is to make it; without it, the one in use.
  ///   - requestId: what the caller calls the request, to get the same packet for it once more.
  public init(
    namespace: NamespaceName, mac: String, session: String, embedTime: Bool = false,
    generation: NokePairState? = nil, requestId: String? = nil
  ) {
    self.namespace = namespace
    self.mac = mac
    self.session = session
    self.embedTime = embedTime
    self.generation = generation
    self.requestId = requestId
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var namespace: NamespaceName?
    var mac: String?
    var session: String?
    var embedTime = false
    var generation: NokePairState?
    var requestId: String?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .namespace: namespace = try object.namespace(&reader)
      case .mac: mac = try object.lockAddress(&reader)
      case .session: session = try object.digits(&reader)
      case .embedTime: embedTime = try object.boolean(&reader)
      case .generation: generation = try object.choice(&reader)
      case .requestId: requestId = try object.text(&reader)
      }
    }
    self.namespace = try object.required(namespace, .namespace)
    self.mac = try object.required(mac, .mac)
    self.session = try object.required(session, .session)
    self.embedTime = embedTime
    self.generation = generation
    self.requestId = requestId
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("namespace")
    writer.string(namespace.rawValue)
    writer.name("mac")
    writer.string(mac)
    writer.name("session")
    writer.string(session)
    if embedTime {
      writer.name("embed_time")
      writer.boolean(true)
    }
    writer.optional("generation", generation?.rawValue)
    writer.optional("request_id", requestId)
    writer.endObject()
  }
}
