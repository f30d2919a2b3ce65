/// How a reader is reached.
public enum PresentationTransport: String, CaseIterable, Hashable, Sendable {
  /// Bluetooth Low Energy.
  case ble
  /// Near-field communication: the gateway hands over raw command APDUs.
  case nfc
}
