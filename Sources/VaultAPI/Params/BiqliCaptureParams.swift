public import WireCoding

/// The parameters of `biqli.capture`: exactly one of `link` and `token`.
public struct BiqliCaptureParams: VaultParams {
  enum Member: String, MemberName {
    case namespace, link, token
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .namespace: .required(.namespace)
    case .link: .optional(.secretText(1...VaultLimits.biqliLinkOctets))
    case .token: .optional(.secretText(VaultLimits.biqliTokenOctets))
    }
  }

  /// The namespace.
  public var namespace: NamespaceName
  /// A link that opened the app: an https URL with a host.
  public var link: SecretBox?
  /// A handoff token, a bearer value: `bqmh_` and 43 letters, digits, `_` or `-`.
  public var token: SecretBox?

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - namespace: the namespace.
  ///   - link: a link that opened the app: an https URL with a host.
  ///   - token: a handoff token, a bearer value: `bqmh_` and 43 letters, digits, `_` or `-`.
  public init(namespace: NamespaceName, link: SecretBox? = nil, token: SecretBox? = nil) {
    self.namespace = namespace
    self.link = link
    self.token = token
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var namespace: NamespaceName?
    var link: SecretBox?
    var token: SecretBox?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .namespace: namespace = try object.namespace(&reader)
      case .link: link = try object.secretText(&reader)
      case .token: token = try object.secretText(&reader)
      }
    }
    try object.exactlyOne(.link, .token)
    self.namespace = try object.required(namespace, .namespace)
    self.link = link
    self.token = token
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("namespace")
    writer.string(namespace.rawValue)
    if let link {
      writer.name("link")
      writer.string(secret: link.bytes)
    }
    if let token {
      writer.name("token")
      writer.string(secret: token.bytes)
    }
    writer.endObject()
  }
}
