/// How large a credential's mailbox is and what a reader may do with it (section 1).
public struct MailboxSettings: Hashable, Sendable {
  /// The sizes that a mailbox can have, in octets.
  public static let sizes = 1...4096

  /// How many octets it has.
  public var size: Int
  /// Whether a reader may read it; bit 4 of the signaling bitmap.
  public var isReadable: Bool
  /// Whether a reader may write and set it; bit 5 of the signaling bitmap.
  public var isWritable: Bool
  /// Whether it is there in step-up too; bit 10 of the signaling bitmap.
  public var isUsableInStepUp: Bool

  /// Makes settings; a pass checks their size when it is validated.
  ///
  /// - Parameters:
  ///   - size: how many octets the mailbox has.
  ///   - isReadable: whether a reader may read it.
  ///   - isWritable: whether a reader may write and set it.
  ///   - isUsableInStepUp: whether it is there in step-up too.
  public init(size: Int, isReadable: Bool, isWritable: Bool, isUsableInStepUp: Bool) {
    self.size = size
    self.isReadable = isReadable
    self.isWritable = isWritable
    self.isUsableInStepUp = isUsableInStepUp
  }
}
