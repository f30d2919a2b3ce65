public import WireCoding

/// The parameters of `biqli.begin`.
public struct BiqliBeginParams: VaultParams {
  enum Member: String, MemberName {
    case namespace, platform, probabilisticAllowed = "probabilistic_allowed", domain, appVersion =
      "app_version", systemVersion = "os_version", sdkVersion = "sdk_version"
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .namespace: .required(.namespace)
    case .platform: .required(.choice(BiqliPlatform.allCases.map(\.rawValue)))
    case .probabilisticAllowed: .required(.boolean)
    case .domain: .optional(.text(VaultLimits.biqliDomain))
    case .appVersion: .optional(.text(VaultLimits.biqliVersion))
    case .systemVersion: .required(.text(VaultLimits.biqliVersion))
    case .sdkVersion: .required(.text(VaultLimits.biqliVersion))
    }
  }

  /// The namespace.
  public var namespace: NamespaceName
  /// What the app runs on.
  public var platform: BiqliPlatform
  /// Whether the app has probabilistic matching on and the person has agreed to it, by now.
  public var probabilisticAllowed: Bool
  /// The attribution domain, which counts where there is no link.
  public var domain: String?
  /// The version of the app.
  public var appVersion: String?
  /// The version of the system.
  public var systemVersion: String
  /// The version of the SDK.
  public var sdkVersion: String

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - namespace: the namespace.
  ///   - platform: what the app runs on.
  ///   - probabilisticAllowed: whether the app has probabilistic matching on and the person has
  ///     agreed to it, by now.
  ///   - domain: the attribution domain, which counts where there is no link.
  ///   - appVersion: the version of the app.
  ///   - systemVersion: the version of the system.
  ///   - sdkVersion: the version of the SDK.
  public init(
    namespace: NamespaceName, platform: BiqliPlatform, probabilisticAllowed: Bool,
    domain: String? = nil, appVersion: String? = nil, systemVersion: String, sdkVersion: String
  ) {
    self.namespace = namespace
    self.platform = platform
    self.probabilisticAllowed = probabilisticAllowed
    self.domain = domain
    self.appVersion = appVersion
    self.systemVersion = systemVersion
    self.sdkVersion = sdkVersion
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var namespace: NamespaceName?
    var platform: BiqliPlatform?
    var probabilisticAllowed: Bool?
    var domain: String?
    var appVersion: String?
    var systemVersion: String?
    var sdkVersion: String?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .namespace: namespace = try object.namespace(&reader)
      case .platform: platform = try object.choice(&reader)
      case .probabilisticAllowed: probabilisticAllowed = try object.boolean(&reader)
      case .domain: domain = try object.text(&reader)
      case .appVersion: appVersion = try object.text(&reader)
      case .systemVersion: systemVersion = try object.text(&reader)
      case .sdkVersion: sdkVersion = try object.text(&reader)
      }
    }
    self.namespace = try object.required(namespace, .namespace)
    self.platform = try object.required(platform, .platform)
    self.probabilisticAllowed = try object.required(probabilisticAllowed, .probabilisticAllowed)
    self.domain = domain
    self.appVersion = appVersion
    self.systemVersion = try object.required(systemVersion, .systemVersion)
    self.sdkVersion = try object.required(sdkVersion, .sdkVersion)
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("namespace")
    writer.string(namespace.rawValue)
    writer.name("platform")
    writer.string(platform.rawValue)
    writer.name("probabilistic_allowed")
    writer.boolean(probabilisticAllowed)
    writer.optional("domain", domain)
    writer.optional("app_version", appVersion)
    writer.name("os_version")
    writer.string(systemVersion)
    writer.name("sdk_version")
    writer.string(sdkVersion)
    writer.endObject()
  }
}
