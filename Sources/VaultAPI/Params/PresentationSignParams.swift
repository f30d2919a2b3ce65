public import WireCoding

/// The parameters of `presentation.sign`: a transaction that a gateway carries out by itself.
public struct PresentationSignParams: VaultParams {
  enum Member: String, MemberName {
    case namespace, readerIdentifier = "reader_identifier",
      deviceEphemeralKey = "device_ephemeral_key", readerEphemeralKey = "reader_ephemeral_key",
      transactionIdentifier = "transaction_identifier", readerSignature = "reader_signature",
      certificate
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .namespace: .required(.namespace)
    case .readerIdentifier: .required(.base64(32...32))
    case .deviceEphemeralKey: .required(.base64(65...65))
    case .readerEphemeralKey: .required(.base64(65...65))
    case .transactionIdentifier: .required(.base64(16...16))
    case .readerSignature: .required(.base64(64...64))
    case .certificate: .optional(.base64(1...VaultLimits.readerCertificateOctets))
    }
  }

  /// The namespace.
  public var namespace: NamespaceName
  /// The identifier of the reader: its group, then which one of the group.
  public var readerIdentifier: [UInt8]
  /// The ephemeral key of the device, as an uncompressed point.
  public var deviceEphemeralKey: [UInt8]
  /// The ephemeral key of the reader, as an uncompressed point.
  public var readerEphemeralKey: [UInt8]
  /// The transaction identifier.
  public var transactionIdentifier: [UInt8]
  /// The signature of the reader over its transcript, raw.
  public var readerSignature: [UInt8]
  /// The compressed certificate of the reader, if it sent one.
  public var certificate: [UInt8]?

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - namespace: the namespace.
  ///   - readerIdentifier: the identifier of the reader: its group, then which one of the group.
  ///   - deviceEphemeralKey: the ephemeral key of the device, as an uncompressed point.
  ///   - readerEphemeralKey: the ephemeral key of the reader, as an uncompressed point.
  ///   - transactionIdentifier: the transaction identifier.
  ///   - readerSignature: the signature of the reader over its transcript, raw.
  ///   - certificate: the compressed certificate of the reader, if it sent one.
  public init(
    namespace: NamespaceName, readerIdentifier: [UInt8], deviceEphemeralKey: [UInt8],
    readerEphemeralKey: [UInt8], transactionIdentifier: [UInt8], readerSignature: [UInt8],
    certificate: [UInt8]? = nil
  ) {
    self.namespace = namespace
    self.readerIdentifier = readerIdentifier
    self.deviceEphemeralKey = deviceEphemeralKey
    self.readerEphemeralKey = readerEphemeralKey
    self.transactionIdentifier = transactionIdentifier
    self.readerSignature = readerSignature
    self.certificate = certificate
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var namespace: NamespaceName?
    var readerIdentifier: [UInt8]?
    var deviceEphemeralKey: [UInt8]?
    var readerEphemeralKey: [UInt8]?
    var transactionIdentifier: [UInt8]?
    var readerSignature: [UInt8]?
    var certificate: [UInt8]?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .namespace: namespace = try object.namespace(&reader)
      case .readerIdentifier: readerIdentifier = try object.base64(&reader)
      case .deviceEphemeralKey: deviceEphemeralKey = try object.base64(&reader)
      case .readerEphemeralKey: readerEphemeralKey = try object.base64(&reader)
      case .transactionIdentifier: transactionIdentifier = try object.base64(&reader)
      case .readerSignature: readerSignature = try object.base64(&reader)
      case .certificate: certificate = try object.base64(&reader)
      }
    }
    self.namespace = try object.required(namespace, .namespace)
    self.readerIdentifier = try object.required(readerIdentifier, .readerIdentifier)
    self.deviceEphemeralKey = try object.required(deviceEphemeralKey, .deviceEphemeralKey)
    self.readerEphemeralKey = try object.required(readerEphemeralKey, .readerEphemeralKey)
    self.transactionIdentifier = try object.required(transactionIdentifier, .transactionIdentifier)
    self.readerSignature = try object.required(readerSignature, .readerSignature)
    self.certificate = certificate
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("namespace")
    writer.string(namespace.rawValue)
    writer.name("reader_identifier")
    writer.base64(readerIdentifier)
    writer.name("device_ephemeral_key")
    writer.base64(deviceEphemeralKey)
    writer.name("reader_ephemeral_key")
    writer.base64(readerEphemeralKey)
    writer.name("transaction_identifier")
    writer.base64(transactionIdentifier)
    writer.name("reader_signature")
    writer.base64(readerSignature)
    if let certificate {
      writer.name("certificate")
      writer.base64(certificate)
    }
    writer.endObject()
  }
}
