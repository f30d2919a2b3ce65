/// The limits of the protocol that both sides know.
public enum VaultLimits {
  /// The most octets of a request line, its line feed not counted.
  public static let requestOctets = 256 << 10
  /// The most octets of an `id` that is a string.
  public static let idOctets = 64
  /// The most octets of a passphrase.
  public static let passphraseOctets = 1024
  /// The octets of a key file's secret.
  public static let slotKeyOctets = 32
  /// The most octets of a message to sign; longer content is signed by its digest.
  public static let signedMessageOctets = 128 << 10
  /// The most octets of an access document.
  public static let accessDocumentOctets = 64 << 10
  /// The most octets of an issuer's certificate.
  public static let certificateOctets = 16 << 10
  /// The most reader groups of a pass.
  public static let readerGroups = 64
  /// The most octets of one BLE message, its header included.
  public static let bleMessageOctets = 4096
  /// The most namespaces of one page.
  public static let pageLimit: Int64 = 1000
  /// The namespaces of one page when the caller does not say.
  public static let defaultPageLimit: Int64 = 100

  static let slots: FieldKind = .integer(0...0x7FFF_FFFF)
}
