/// One member of a parameter object: what the decoder accepts and the schema says.
public struct Field: Hashable, Sendable {
  /// The member's name.
  public let name: String
  /// What it may hold.
  public let kind: FieldKind
  /// Whether it must be given.
  public let isRequired: Bool

  /// Whether it is a secret, which the schema marks `x-secret`.
  public var isSecret: Bool {
    switch kind {
    case .secretText, .secretBase64, .secretHex: true
    default: false
    }
  }
}
