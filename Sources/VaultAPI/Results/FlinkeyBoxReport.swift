public import WireCoding

/// What a box has told of itself; what it did not tell is not there.
public struct FlinkeyBoxReport: VaultResult, Hashable {
  /// `drawer_open`, `unlocked` or `locked`.
  public var state: String?
  /// Whether the drawer is open.
  public var drawerOpen: Bool?
  /// Whether the drawer is unlocked.
  public var drawerUnlocked: Bool?
  /// The charge of the battery in hundredths of a percent.
  public var batteryHundredths: Int64?
  /// Whether the battery is charging.
  public var charging: Bool?
  /// Whether a charger is connected.
  public var chargerConnected: Bool?
  /// The UIDs of the NFC tags in it, in upper-case hexadecimal digits.
  public var nfcTags: [String] = []

  /// Starts with nothing told.
  public init() {}

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.optional("state", state)
    writer.optional("drawer_open", drawerOpen)
    writer.optional("drawer_unlocked", drawerUnlocked)
    writer.optional("battery_hundredths", batteryHundredths)
    writer.optional("charging", charging)
    writer.optional("charger_connected", chargerConnected)
    writer.name("nfc_tags")
    writer.strings(nfcTags)
    writer.endObject()
  }
}

extension JSONWriter {
  /// Writes a member unless there is no value.
  fileprivate mutating func optional(_ name: StaticString, _ flag: Bool?) {
    guard let flag else { return }
    self.name(name)
    boolean(flag)
  }
}
