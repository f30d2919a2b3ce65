import SecureMemory
import VaultCrypto
import WireCoding

/// A token and its end.
struct FlinkeyToken: Sendable {
  let secret: HeldSecret
  /// The second from which on it must not be used, Unix seconds.
  let expires: Int64

  /// Whether it lives for so many seconds yet.
  func lives(_ seconds: Int64, at now: Int64) -> Bool {
    expires > now && expires - now >= seconds
  }

  /// The digest by which it is known again: BLAKE2b-256.
  var digest: [UInt8] { secret.bytes.withBytes { BLAKE2b.hash($0) } }

  /// How many octets ``write(into:)`` writes.
  static func size(_ token: FlinkeyToken?) -> Int {
    1 + (token.map { 10 + $0.secret.count } ?? 0)
  }

  /// Writes what is or is not there: `0`, or `1 ‖ expires 8 ‖ length 2 ‖ token`.
  static func write(_ token: FlinkeyToken?, into writer: inout RecordWriter) {
    writer.integer(token == nil ? 0 : 1, octets: 1)
    guard let token else { return }
    writer.integer(token.expires)
    writer.secret(token.secret)
  }

  static func read(_ reader: inout ByteReader) throws(WireCodingError) -> FlinkeyToken? {
    try reader.optional { reader throws(WireCodingError) in
      let expires = try reader.int64()
      return FlinkeyToken(secret: try reader.secret(FlinkeyLimits.token), expires: expires)
    }
  }
}
