public import WireCoding

/// The parameters of `key.sign`: exactly one of `message` and `digest`.
public struct KeySignParams: VaultParams {
  enum Member: String, MemberName {
    case namespace, message, digest, format
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .namespace: .required(.namespace)
    case .message: .optional(.base64(0...VaultLimits.signedMessageOctets))
    case .digest: .optional(.base64(32...32))
    case .format: .required(.choice(SignatureFormat.allCases.map(\.rawValue)))
    }
  }

  /// The namespace.
  public var namespace: NamespaceName
  /// The octets to hash with SHA-256 and sign.
  public var message: [UInt8]?
  /// The SHA-256 digest to sign.
  public var digest: [UInt8]?
  /// How the signature is to be written.
  public var format: SignatureFormat

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - namespace: the namespace.
  ///   - message: the octets to hash with SHA-256 and sign.
  ///   - digest: the SHA-256 digest to sign.
  ///   - format: how the signature is to be written.
  public init(
    namespace: NamespaceName, message: [UInt8]? = nil, digest: [UInt8]? = nil,
    format: SignatureFormat
  ) {
    self.namespace = namespace
    self.message = message
    self.digest = digest
    self.format = format
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var namespace: NamespaceName?
    var message: [UInt8]?
    var digest: [UInt8]?
    var format: SignatureFormat?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .namespace: namespace = try object.namespace(&reader)
      case .message: message = try object.base64(&reader)
      case .digest: digest = try object.base64(&reader)
      case .format: format = try object.choice(&reader)
      }
    }
    try object.exactlyOne(.message, .digest)
    self.namespace = try object.required(namespace, .namespace)
    self.message = message
    self.digest = digest
    self.format = try object.required(format, .format)
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("namespace")
    writer.string(namespace.rawValue)
    if let message {
      writer.name("message")
      writer.base64(message)
    }
    if let digest {
      writer.name("digest")
      writer.base64(digest)
    }
    writer.name("format")
    writer.string(format.rawValue)
    writer.endObject()
  }
}
