package import WireCoding

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

  /// Sends an answer with secrets, which stay in guarded memory until the kernel has taken them.
  ///
  /// - Parameter line: the octets of one line, with its newline.
  package consuming func send(secret line: consuming SecretLine) {
    guard let mailbox = mailbox.take() else { return }
    if mailbox.post(SecretAnswerLine(line), to: token) { mailbox.ring() }
  }

  deinit {
    guard let mailbox else { return }
    if mailbox.post(Self.givenUp.span, to: token) { mailbox.ring() }
  }

  private static let givenUp = FramingRefusal.internalError.line
}
