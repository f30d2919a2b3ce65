/// How the messages of a presentation travel.
public enum PresentationTransport: Hashable, Sendable {
  /// Over the Aliro channel of BLE (section 12): every message is one of that channel, header
  /// included.
  ///
  /// - `readerVersions`: the reader's list of BLE versions as read over GATT, octet for octet: two
  ///   octets each, at most 16.
  /// - `version`: the version selected from it; only `01 00` is known.
  /// - `intent`: what the presentation is for.
  case ble(readerVersions: [UInt8], version: [UInt8], intent: PresentationIntent)
  /// Over NFC: every message is one APDU, without a frame.
  case nfc
}
