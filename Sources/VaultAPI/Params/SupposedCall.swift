public import WireCoding

/// A call that somebody might make.
public struct SupposedCall: VaultParams, Hashable {
  enum Member: String, MemberName {
    case method, user, groups, unit, namespace, socket
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .method: .required(.text(1...VaultLimits.nameOctets))
    case .user: .required(.text(1...VaultLimits.nameOctets))
    case .groups: .optional(.array(.text(1...VaultLimits.nameOctets), 0...VaultLimits.callerGroups))
    case .unit: .optional(.text(1...VaultLimits.unitOctets))
    case .namespace: .optional(.namespace)
    case .socket: .optional(.choice(CallSocket.allCases.map(\.rawValue)))
    }
  }

  /// The name of the method.
  public var method: String
  /// The name or number of the user who calls.
  public var user: String
  /// The names or numbers of the caller's groups, the effective one first; those of the user's account
  /// when `nil`.
  public var groups: [String]?
  /// The systemd unit of the caller's process.
  public var unit: String?
  /// The namespace that the call is about.
  public var namespace: NamespaceName?
  /// The socket it comes in by.
  public var socket: CallSocket

  /// Makes a call.
  ///
  /// - Parameters:
  ///   - method: the name of the method.
  ///   - user: the name or number of the user who calls.
  ///   - groups: the names or numbers of the caller's groups, the effective one first; those of the
  ///     user's account when `nil`.
  ///   - unit: the systemd unit of the caller's process.
  ///   - namespace: the namespace that the call is about.
  ///   - socket: the socket it comes in by.
  public init(
    method: String, user: String, groups: [String]? = nil, unit: String? = nil,
    namespace: NamespaceName? = nil, socket: CallSocket = .admin
  ) {
    self.method = method
    self.user = user
    self.groups = groups
    self.unit = unit
    self.namespace = namespace
    self.socket = socket
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var method: String?
    var user: String?
    var groups: [String]?
    var unit: String?
    var namespace: NamespaceName?
    var socket: CallSocket?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .method: method = try object.text(&reader)
      case .user: user = try object.text(&reader)
      case .groups: groups = try object.texts(&reader)
      case .unit: unit = try object.text(&reader)
      case .namespace: namespace = try object.namespace(&reader)
      case .socket: socket = try object.choice(&reader)
      }
    }
    self.method = try object.required(method, .method)
    self.user = try object.required(user, .user)
    self.groups = groups
    self.unit = unit
    self.namespace = namespace
    self.socket = socket ?? .admin
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("method")
    writer.string(method)
    writer.name("user")
    writer.string(user)
    if let groups {
      writer.name("groups")
      writer.beginArray()
      for group in groups { writer.string(group) }
      writer.endArray()
    }
    writer.optional("unit", unit)
    if let namespace {
      writer.name("namespace")
      writer.string(namespace.rawValue)
    }
    writer.name("socket")
    writer.string(socket.rawValue)
    writer.endObject()
  }
}
