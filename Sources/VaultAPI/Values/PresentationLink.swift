/// How a reader is reached, with what the vault must know of that.
public enum PresentationLink: Hashable, Sendable {
  /// Bluetooth Low Energy.
  ///
  /// - Parameters:
  ///   - intent: what the user wants of the lock.
  ///   - readerVersions: the version list as the reader's GATT characteristic holds it.
  ///   - version: the version the gateway has chosen.
  case ble(intent: PresentationIntent, readerVersions: [UInt8], version: [UInt8])
  /// Near-field communication.
  case nfc

  /// Its word on the wire.
  public var transport: PresentationTransport {
    switch self {
    case .ble: .ble
    case .nfc: .nfc
    }
  }
}
