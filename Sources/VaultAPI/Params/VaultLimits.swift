/// The limits of the protocol that both sides know.
public enum VaultLimits {
  /// The most octets of a request line, its line feed not counted.
  public static let requestOctets = 256 << 10
  /// The most octets of an `id` that is a string.
  public static let idOctets = 64
  /// The most octets of a passphrase.
  public static let passphraseOctets = 1024
  /// The most octets of a checkpoint of the audit log.
  public static let checkpointOctets = 1024
  /// The octets of a key file's secret.
  public static let slotKeyOctets = 32
  /// The most octets of a message to sign; longer content is signed by its digest.
  public static let signedMessageOctets = 128 << 10
  /// The most octets of an access document, and of a revocation document.
  public static let accessDocumentOctets = 64 << 10
  /// The most octets of an issuer's certificate.
  public static let certificateOctets = 16 << 10
  /// The most reader groups of a pass.
  public static let readerGroups = 64
  /// The octets of a group resolving key.
  public static let groupResolvingKeyOctets = 16
  /// The octets a mailbox may have.
  public static let mailboxOctets: ClosedRange<Int64> = 1...4096
  /// The most octets of one message of a reader: a BLE message with its header, or an APDU.
  public static let readerMessageOctets = 4096
  /// The most octets of the content of one ranging message.
  public static let rangingPayloadOctets = 4076
  /// The most octets of a compressed reader certificate.
  public static let readerCertificateOctets = 512
  /// The most namespaces of one page.
  public static let pageLimit: Int64 = 1000
  /// The namespaces of one page when the caller does not say.
  public static let defaultPageLimit: Int64 = 100

  /// The most octets of a policy's text.
  public static let policyOctets = 64 << 10
  /// The most octets of the name of a user, a group or a method.
  public static let nameOctets = 64
  /// The most octets of the name of a systemd unit.
  public static let unitOctets = 255
  /// The most groups of a caller that is asked about.
  public static let callerGroups = 256
  /// What counts audit lines, and the changes of the policy.
  public static let numbers: ClosedRange<Int64> = 1...(1 << 53)

  /// The octets of a flinkey or Tapkey token.
  public static let flinkeyTokenOctets = 1...8192
  /// The octets of a flinkey API key.
  public static let flinkeyAPIKeyOctets = 1...512
  /// The octets of the name of a user of the flinkey API Manager.
  public static let flinkeyUserNameOctets = 1...256
  /// The octets of its password.
  public static let flinkeyPasswordOctets = 1...1024
  /// The octets of a flinkey SDK key.
  public static let flinkeySDKKeyOctets = 1...1024
  /// The most octets of what a flinkey box answers.
  public static let flinkeyFeedbackOctets = 256
  /// The seconds that a flinkey or Tapkey token may live.
  public static let flinkeyLifetime: ClosedRange<Int64> = 1...31_536_000
  /// For how many seconds a Tapkey token may be asked still to live.
  public static let flinkeyRemaining: ClosedRange<Int64> = 0...86_400
  /// For how many seconds a step of a renewal may be one caller's.
  public static let flinkeyLease: ClosedRange<Int64> = 10...300
  /// The statuses of HTTP.
  public static let httpStatus: ClosedRange<Int64> = 100...599

  /// Whatever is counted from zero.
  static let counts: FieldKind = .integer(0...1 << 53)
  static let slots: FieldKind = .integer(0...0x7FFF_FFFF)
}
