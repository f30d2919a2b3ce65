/// What the client says about itself when a request is built.
package struct BiqliRequestFields: Hashable, Sendable {
  /// The most octets of a version.
  package static let maximumVersionCount = 64

  /// What the app runs on.
  package let platform: BiqliPlatform
  /// Whether the app has probabilistic matching on *and* the person has agreed to it, by now.
  package let isProbabilisticAllowed: Bool
  /// The attribution domain, which counts where there is no link.
  package let domain: BiqliDomain?
  /// The version of the app.
  package let appVersion: String?
  /// The version of the system.
  package let osVersion: String
  /// The version of the SDK.
  package let sdkVersion: String

  /// Checks the fields.
  ///
  /// - Parameters:
  ///   - platform: what the app runs on.
  ///   - isProbabilisticAllowed: whether probabilistic matching is on and agreed to.
  ///   - domain: the attribution domain.
  ///   - appVersion: 1–64 octets of printable ASCII, as are the other two.
  ///   - osVersion: the version of the system.
  ///   - sdkVersion: the version of the SDK.
  /// - Throws: ``BiqliError/parameter(_:due:)`` for `app_version`, `os_version` or `sdk_version`.
  package init(
    platform: BiqliPlatform, isProbabilisticAllowed: Bool, domain: BiqliDomain?,
    appVersion: String?, osVersion: String, sdkVersion: String
  ) throws(BiqliError) {
    if let appVersion { try Self.check(appVersion, "app_version") }
    try Self.check(osVersion, "os_version")
    try Self.check(sdkVersion, "sdk_version")
    self.platform = platform
    self.isProbabilisticAllowed = isProbabilisticAllowed
    self.domain = domain
    self.appVersion = appVersion
    self.osVersion = osVersion
    self.sdkVersion = sdkVersion
  }

  private static func check(_ version: String, _ field: String) throws(BiqliError) {
    guard (1...maximumVersionCount).contains(version.utf8.count),
      version.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
    else { throw .parameter(field, due: "1 to 64 characters of printable ASCII") }
  }
}
