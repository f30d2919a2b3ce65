/// Octets that replace a part of a mailbox; they lie within it.
public struct MailboxWrite: Hashable, Sendable {
  /// Where the first octet goes, counted from the start of the mailbox.
  public let offset: Int
  /// What goes there.
  public let octets: [UInt8]

  /// Makes a write; nothing is checked.
  ///
  /// - Parameters:
  ///   - offset: where the first octet goes.
  ///   - octets: what goes there.
  public init(offset: Int, octets: [UInt8]) {
    self.offset = offset
    self.octets = octets
  }
}
