import Synchronization

/// A reply that can be copied about, for closures and queues: the first answer counts.
package final class PendingReply: Sendable {
  private let reply: Mutex<Reply?>

  /// Takes over a reply.
  package init(_ reply: consuming Reply) {
    self.reply = Mutex(reply)
  }

  /// Takes the reply out; `nil` when that has been done before.
  private func take() -> Reply? {
    reply.withLock { $0.take() }
  }

  /// Sends the answer, unless one has been sent.
  ///
  /// - Parameter line: the octets of one line, without its newline.
  package func send(_ line: Span<UInt8>) {
    guard let reply = take() else { return }
    reply.send(line)
  }
}
