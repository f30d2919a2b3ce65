import SecureMemory
import VaultCrypto
package import WireCoding

/// What opens a lock while the session lasts: 20 octets, one write without response.
///
/// It is made of `header 4 ‖ cipher 16`: the command's header in clear, and its body under the inverse
/// cipher of AES-128, one block without padding, keyed with the offline key plus the session. "Inverse"
/// is no slip: the libraries call it encryption, and the lock undoes it with the forward cipher.
package struct NokePacket: Hashable, Sendable, CustomStringConvertible {
  /// How many octets a packet has.
  package static let count = 20

  /// The octets.
  package let octets: [UInt8]

  /// The digits in lower case, as gateways write them.
  package var description: String { Hex.encode(octets.span) }

  /// Makes the packet of a session.
  ///
  /// The combined key is as good as the offline key, since the session is public: neither it nor the
  /// body outlives the call, nor leaves guarded memory.
  ///
  /// - Parameters:
  ///   - pair: the lock's pair.
  ///   - session: what the lock has just shown.
  ///   - time: the time to put into the body, of whose seconds the low 32 bits count, with a new
  ///     checksum; `nil` leaves the body as it was issued.
  /// - Returns: the packet, which is not secret.
  /// - Throws: ``NokeError/crypto(_:)``.
  package static func make(
    pair: borrowing NokePair, session: NokeSession, embedding time: Timestamp?
  ) throws(NokeError) -> NokePacket {
    let key = try combine(pair, session)
    let body = try body(of: pair, embedding: time)
    let cipher = try encipher(body, key)
    var packet: [UInt8] = []
    packet.reserveCapacity(count)
    pair.octets.withBytes { bytes in
      for index in 16..<20 { packet.append(bytes[index]) }
    }
    cipher.withBytes { bytes in
      for index in bytes.indices { packet.append(bytes[index]) }
    }
    return NokePacket(octets: packet)
  }

  /// The offline key plus the session, each octet by itself, no carry between them.
  static func combine(
    _ pair: borrowing NokePair, _ session: NokeSession
  ) throws(NokeError) -> SecretBytes {
    var key = try SecretBytes.forNoke(NokePair.offlineKeyCount)
    pair.octets.withBytes { pair in
      key.withMutableBytes { key in
        for index in key.indices { key[index] = pair[index] &+ session.octets[index] }
      }
    }
    return key
  }

  /// The command's body, with time and checksum where they are wanted.
  static func body(
    of pair: borrowing NokePair, embedding time: Timestamp?
  ) throws(NokeError) -> SecretBytes {
    var body = try SecretBytes.forNoke(16)
    pair.octets.withBytes { pair in
      body.withMutableBytes { body in
        for index in body.indices { body[index] = pair[20 + index] }
        guard let time else { return }
        for place in 0..<4 {
          body[2 + place] = UInt8(truncatingIfNeeded: time.seconds >> (8 * Int64(place)))
        }
        var sum: UInt8 = 0
        for index in 0..<15 { sum &+= body[index] }
        body[15] = sum
      }
    }
    return body
  }

  private static func encipher(
    _ body: borrowing SecretBytes, _ key: borrowing SecretBytes
  ) throws(NokeError) -> SecretBytes {
    do throws(VaultCryptoError) {
      return try body.withBytes { body throws(VaultCryptoError) in
        try AES128.decrypt(block: body, key: key)
      }
    } catch {
      throw .crypto(error)
    }
  }
}
