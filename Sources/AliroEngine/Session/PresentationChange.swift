/// Something that a step changes of what is kept, to be durable before the step's messages are sent.
public enum PresentationChange: Sendable {
  /// A key for the reader's next fast transaction; it replaces the one before it.
  case persistentKey(PersistentKey)
  /// What the reader writes into the mailbox: all of it, in this order, or nothing.
  case mailbox([MailboxWrite])
}
