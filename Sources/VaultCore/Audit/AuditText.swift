import VaultCrypto

/// The text of the log since its last checkpoint, for the digest of the next one.
///
/// A value, so that a writer whose text did not become durable returns to what it had before.
struct AuditText: Sendable {
  private var stream = BLAKE2bStream()
  /// The last line that the checkpoint before it covers, zero before the first.
  private(set) var since: Int64 = 0
  /// Whether there is something that no checkpoint covers.
  private(set) var isCovered = true

  /// Starts at the beginning of a log.
  init() {}

  /// Starts with the line of a checkpoint.
  init(behind checkpoint: AuditCheckpoint) {
    stream.update(checkpoint.line.span)
    since = checkpoint.sequence
  }

  /// Adds what follows.
  mutating func add(_ text: [UInt8]) {
    stream.update(text.span)
    isCovered = false
  }

  /// BLAKE2b-256 of the text so far.
  var digest: [UInt8] { stream.digest() }
}
