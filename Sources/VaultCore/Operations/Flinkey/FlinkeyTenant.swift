import SecureMemory
import WireCoding

/// What a tenant has from the vendor's portal for one environment.
package struct FlinkeyCredentials: Sendable {
  package let apiKey: HeldSecret
  /// The name of the API Manager user.
  package let userName: HeldSecret
  package let password: HeldSecret
  package let sdkKey: HeldSecret
  /// The customer that the SDK key belongs to.
  package let customerID: Int64

  /// Takes credentials.
  ///
  /// - Throws: ``VaultError`` `invalid_params` with the name of the one at fault: sizes, and for the API
  ///   key, which goes into a header, printable ASCII without spaces.
  package init(
    apiKey: HeldSecret, userName: HeldSecret, password: HeldSecret, sdkKey: HeldSecret,
    customerID: Int64
  ) throws(VaultError) {
    try apiKey.check(FlinkeyLimits.apiKey, isToken: true, "credentials.api_key")
    try userName.check(FlinkeyLimits.userName, isToken: false, "credentials.user_name")
    try password.check(FlinkeyLimits.password, isToken: false, "credentials.password")
    try sdkKey.check(FlinkeyLimits.sdkKey, isToken: false, "credentials.sdk_key")
    guard FlinkeyLimits.identifiers.contains(customerID) else {
      throw VaultError(
        .invalidParameters, "credentials.customer_id is no identifier",
        field: "credentials.customer_id")
    }
    self.apiKey = apiKey
    self.userName = userName
    self.password = password
    self.sdkKey = sdkKey
    self.customerID = customerID
  }
}

/// The record of a tenant in one environment: `1 ‖ customer ID 8 ‖ API key ‖ user name ‖ password ‖ SDK
/// key ‖ API token ‖ lease`, each secret behind its length.
struct FlinkeyTenant: Sendable {
  let credentials: FlinkeyCredentials
  /// The access token of the flinkey API.
  var apiToken: FlinkeyToken?
  /// Who gets a new one.
  var lease: FlinkeyLease?

  /// The record's identifier among those of kind `flinkey`.
  static func identifier(_ environment: FlinkeyEnvironment) -> String {
    "credentials/\(environment.rawValue)"
  }

  /// Starts without tokens.
  init(_ credentials: FlinkeyCredentials) {
    self.credentials = credentials
  }

  /// Opens a record that the vault has unsealed.
  ///
  /// - Throws: ``VaultError`` `damaged` when it is not what ``encode()`` makes.
  init(opening record: borrowing SecretBytes) throws(VaultError) {
    do {
      (credentials, apiToken, lease) = try record.withBytes { octets in
        var reader = ByteReader(octets)
        guard try reader.uint8() == 1 else { throw WireCodingError.truncated(offset: 0) }
        let customerID = try reader.int64()
        let credentials = try FlinkeyCredentials(
          apiKey: try reader.secret(FlinkeyLimits.apiKey),
          userName: try reader.secret(FlinkeyLimits.userName),
          password: try reader.secret(FlinkeyLimits.password),
          sdkKey: try reader.secret(FlinkeyLimits.sdkKey), customerID: customerID)
        let token = try FlinkeyToken.read(&reader)
        let lease = try FlinkeyLease.read(&reader)
        try reader.finish()
        return (credentials, token, lease)
      }
    } catch {
      throw VaultError(reading: error, "a record of flinkey credentials does not hold such")
    }
    guard lease.map({ $0.step == .apiToken }) ?? true else {
      throw VaultError(.damaged, "a record of flinkey credentials has another's lease")
    }
  }

  /// The record as it is sealed.
  func encode() throws(VaultError) -> SecretBytes {
    let secrets = [
      credentials.apiKey, credentials.userName, credentials.password, credentials.sdkKey,
    ]
    let size = secrets.reduce(9) { $0 + 2 + $1.count }
    var writer = try RecordWriter(
      size: size + FlinkeyToken.size(apiToken) + FlinkeyLease.size(lease))
    writer.integer(1, octets: 1)
    writer.integer(credentials.customerID)
    for secret in secrets { writer.secret(secret) }
    FlinkeyToken.write(apiToken, into: &writer)
    FlinkeyLease.write(lease, into: &writer)
    return writer.finish()
  }
}
