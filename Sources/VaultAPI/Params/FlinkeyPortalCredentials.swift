public import WireCoding

/// What a tenant has from the vendor's portal for one system, secrets but for the customer ID.
public struct FlinkeyPortalCredentials: VaultParams {
  enum Member: String, MemberName {
    case apiKey = "api_key"
    case userName = "user_name"
    case password
    case sdkKey = "sdk_key"
    case customerID = "customer_id"
    case dropTokens = "drop_tokens"
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .apiKey: .required(.secretText(VaultLimits.flinkeyAPIKeyOctets))
    case .userName: .required(.secretText(VaultLimits.flinkeyUserNameOctets))
    case .password: .required(.secretText(VaultLimits.flinkeyPasswordOctets))
    case .sdkKey: .required(.secretText(VaultLimits.flinkeySDKKeyOctets))
    case .customerID: .required(.integer(VaultLimits.numbers))
    case .dropTokens: .optional(.boolean)
    }
  }

  /// The flinkey API key.
  public var apiKey: SecretBox
  /// The name of the API Manager user.
  public var userName: SecretBox
  /// The password of the API Manager user.
  public var password: SecretBox
  /// The SDK key.
  public var sdkKey: SecretBox
  /// The customer that the SDK key belongs to.
  public var customerID: Int64
  /// Whether the tokens of all users of the system go as well; they stay unless given.
  public var dropTokens: Bool?

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - apiKey: the flinkey API key.
  ///   - userName: the name of the API Manager user.
  ///   - password: the password of the API Manager user.
  ///   - sdkKey: the SDK key.
  ///   - customerID: the customer that the SDK key belongs to.
  ///   - dropTokens: whether the tokens of all users of the system go as well; they stay unless given.
  public init(
    apiKey: SecretBox, userName: SecretBox, password: SecretBox, sdkKey: SecretBox,
    customerID: Int64, dropTokens: Bool? = nil
  ) {
    self.apiKey = apiKey
    self.userName = userName
    self.password = password
    self.sdkKey = sdkKey
    self.customerID = customerID
    self.dropTokens = dropTokens
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var apiKey: SecretBox?
    var userName: SecretBox?
    var password: SecretBox?
    var sdkKey: SecretBox?
    var customerID: Int64?
    var dropTokens: Bool?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .apiKey: apiKey = try object.secretText(&reader)
      case .userName: userName = try object.secretText(&reader)
      case .password: password = try object.secretText(&reader)
      case .sdkKey: sdkKey = try object.secretText(&reader)
      case .customerID: customerID = try object.integer(&reader)
      case .dropTokens: dropTokens = try object.boolean(&reader)
      }
    }
    self.apiKey = try object.required(apiKey, .apiKey)
    self.userName = try object.required(userName, .userName)
    self.password = try object.required(password, .password)
    self.sdkKey = try object.required(sdkKey, .sdkKey)
    self.customerID = try object.required(customerID, .customerID)
    self.dropTokens = dropTokens
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("api_key")
    writer.string(secret: apiKey.bytes)
    writer.name("user_name")
    writer.string(secret: userName.bytes)
    writer.name("password")
    writer.string(secret: password.bytes)
    writer.name("sdk_key")
    writer.string(secret: sdkKey.bytes)
    writer.name("customer_id")
    writer.integer(customerID)
    if let dropTokens {
      writer.name("drop_tokens")
      writer.boolean(dropTokens)
    }
    writer.endObject()
  }
}
