public import WireCoding

/// The parameters of `biqli.open`.
public struct BiqliOpenParams: VaultParams {
  enum Member: String, MemberName {
    case namespace, appID = "app_id", marker, publishableKey = "publishable_key"
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .namespace: .required(.namespace)
    case .appID: .required(.text(VaultLimits.biqliAppID))
    case .marker: .required(.base64(VaultLimits.biqliMarkerOctets))
    case .publishableKey: .optional(.text(VaultLimits.biqliPublishableKey))
    }
  }

  /// The namespace.
  public var namespace: NamespaceName
  /// The app: `biq_mapp_` and 26 digits or upper-case letters other than I, L, O and U.
  public var appID: String
  /// A random value of 16 to 64 octets that the client keeps where it vanishes with the app.
  public var marker: [UInt8]
  /// The publishable key, `biqli_mobile_pk_` and 64 letters, digits, `_` or `-`; without it the
  /// stored one stays.
  public var publishableKey: String?

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - namespace: the namespace.
  ///   - appID: the app: `biq_mapp_` and 26 digits or upper-case letters other than I, L, O and U.
  ///   - marker: a random value of 16 to 64 octets that the client keeps where it vanishes with the
  ///     app.
  ///   - publishableKey: the publishable key, `biqli_mobile_pk_` and 64 letters, digits, `_` or
  ///     `-`; without it the stored one stays.
  public init(
    namespace: NamespaceName, appID: String, marker: [UInt8], publishableKey: String? = nil
  ) {
    self.namespace = namespace
    self.appID = appID
    self.marker = marker
    self.publishableKey = publishableKey
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var namespace: NamespaceName?
    var appID: String?
    var marker: [UInt8]?
    var publishableKey: String?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .namespace: namespace = try object.namespace(&reader)
      case .appID: appID = try object.text(&reader)
      case .marker: marker = try object.base64(&reader)
      case .publishableKey: publishableKey = try object.text(&reader)
      }
    }
    self.namespace = try object.required(namespace, .namespace)
    self.appID = try object.required(appID, .appID)
    self.marker = try object.required(marker, .marker)
    self.publishableKey = publishableKey
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("namespace")
    writer.string(namespace.rawValue)
    writer.name("app_id")
    writer.string(appID)
    writer.name("marker")
    writer.base64(marker)
    writer.optional("publishable_key", publishableKey)
    writer.endObject()
  }
}
