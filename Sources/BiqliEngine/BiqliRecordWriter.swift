import SecureMemory
import WireCoding

/// Writes the stored form of a record: what is not secret first, with room for the secrets, which are
/// put in when all of it is in guarded memory.
struct BiqliRecordWriter {
  private var writer = ByteWriter(reservingCapacity: 512)
  private var secrets: [(place: Int, secret: BiqliSecret)] = []

  mutating func append(_ octets: [UInt8]) {
    writer.append(octets)
  }

  mutating func uint8(_ value: UInt8) {
    writer.uint8(value)
  }

  /// Writes up to eight flags, the first in the lowest bit.
  mutating func flags(_ flags: Bool...) {
    writer.uint8(flags.reversed().reduce(0) { $0 << 1 | ($1 ? 1 : 0) })
  }

  mutating func prefixed(_ octets: [UInt8]) {
    // Nothing in a record is longer than 65,536 octets.
    writer.uint32(UInt32(clamping: octets.count))
    writer.append(octets)
  }

  mutating func text(_ text: String) {
    prefixed(Array(text.utf8))
  }

  mutating func time(_ time: Timestamp) {
    writer.uint64(UInt64(bitPattern: time.seconds))
  }

  /// Leaves room for a secret, after its length.
  mutating func secret(_ secret: BiqliSecret) {
    prefixed([UInt8](repeating: 0, count: secret.bytes.count))
    secrets.append((writer.count - secret.bytes.count, secret))
  }

  mutating func request(_ request: BiqliPendingRequest) {
    text(request.eventID.description)
    text(request.requestID.description)
    secret(request.body)
    time(request.madeAt)
    writer.uint32(request.attempts)
    flags(request.link != nil, request.token != nil, request.isProbabilisticAllowed)
    if let link = request.link { secret(link.secret) }
    if let token = request.token { secret(token.secret) }
  }

  /// Ends the writing.
  ///
  /// - Returns: what was written, with the secrets in it.
  /// - Throws: ``BiqliError/memoryExhausted``.
  func finish() throws(BiqliError) -> SecretBytes {
    do {
      var content = try SecretBytes(copying: writer.bytes.span)
      content.withMutableBytes { content in
        for (place, secret) in secrets {
          secret.bytes.withBytes { octets in
            for index in octets.indices { content[place + index] = octets[index] }
          }
        }
      }
      return content
    } catch {
      throw .memoryExhausted
    }
  }
}
