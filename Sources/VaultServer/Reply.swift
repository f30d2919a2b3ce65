/// The one answer a request is owed.
///
/// It may be sent from any thread, and after the connection has ended, when it goes nowhere. One
/// that is dropped unsent answers with an internal error, so that no request is left hanging.
package struct Reply: ~Copyable, Sendable {
  private var mailbox: Mailbox?
  private let token: UInt64

  init(mailbox: Mailbox, token: UInt64) {
    self.mailbox = mailbox
    self.token = token
  }

  /// Sends the answer.
  ///
  /// - Parameter line: the octets of one line, without its newline.
  package consuming func send(_ line: Span<UInt8>) {
    guard let mailbox = mailbox.take() else { return }
    if mailbox.post(line, to: token) { mailbox.ring() }
  }

  /// Sends the answer.
  ///
  /// - Parameter line: the octets of one line, without its newline.
  package consuming func send(_ line: [UInt8]) {
    send(line.span)
  }

  /// Sends the answer together with others: the I/O threads are woken when the batch ends, once
  /// each.
  ///
  /// - Parameters:
  ///   - line: the octets of one line, without its newline.
  ///   - batch: what wakes the threads in the end.
  package consuming func send(_ line: Span<UInt8>, in batch: inout ReplyBatch) {
    guard let mailbox = mailbox.take() else { return }
    if mailbox.post(line, to: token) { batch.add(mailbox) }
  }

  deinit {
    guard let mailbox else { return }
    if mailbox.post(Self.givenUp.span, to: token) { mailbox.ring() }
  }

  private static let givenUp = FramingRefusal.internalError.line
}

/// Gathers the threads to be woken while many answers are sent, and wakes them when it ends.
package struct ReplyBatch: ~Copyable {
  private var sleepers: [Mailbox] = []

  /// Starts a batch.
  package init() {}

  /// Takes note of a thread that has to be woken; each thread asks for it once.
  fileprivate mutating func add(_ mailbox: Mailbox) {
    sleepers.append(mailbox)
  }

  deinit {
    for mailbox in sleepers { mailbox.ring() }
  }
}
