import SecureMemory
import VaultCrypto

/// One direction of a secure channel (section 8): AES-256-GCM, whose nonce is the direction and a
/// counter from 1 on.
package struct SecureChannel: ~Copyable {
  /// Who sends in this direction.
  package enum Direction: UInt8 {
    case fromReader = 0
    case fromDevice = 1
  }

  /// The counter that must not be reached.
  static let counterLimit: UInt32 = 0xFFFF

  private let cipher: AESGCM
  private let direction: Direction
  private var counter: UInt32

  /// Takes over the key of a direction; the counter starts at 1.
  init(
    key: consuming SecretBytes, _ direction: Direction, counter: UInt32 = 1
  ) throws(Failure) {
    do {
      cipher = try AESGCM(key: key)
    } catch {
      throw Failure(computation: error)
    }
    self.direction = direction
    self.counter = counter
  }

  /// Encrypts the next message.
  ///
  /// - Returns: ciphertext ‖ tag.
  mutating func seal(
    _ plaintext: [UInt8], associatedData: [UInt8] = []
  ) throws(Failure) -> [UInt8] {
    let nonce = try nextNonce()
    do {
      return try cipher.seal(
        plaintext.span, nonce: nonce.span, associatedData: associatedData.span)
    } catch {
      throw Failure(computation: error)
    }
  }

  /// Decrypts the next message, which is a notification and no secret.
  ///
  /// - Returns: the plaintext; `nil` when the tag does not verify, after which the channel must go.
  mutating func open(
    _ sealed: [UInt8], associatedData: [UInt8] = []
  ) throws(Failure) -> [UInt8]? {
    let nonce = try nextNonce()
    do {
      let plaintext = try cipher.open(
        sealed.span, nonce: nonce.span, associatedData: associatedData.span)
      return plaintext.withBytes { Array(copying: $0) }
    } catch VaultCryptoError.authenticationFailed {
      return nil
    } catch {
      throw Failure(computation: error)
    }
  }

  private mutating func nextNonce() throws(Failure) -> [UInt8] {
    guard counter < Self.counterLimit else {
      throw .wrongState("The session's message counter is used up.")
    }
    let current = counter
    counter += 1
    return [0, 0, 0, 0, 0, 0, 0, direction.rawValue]
      + (0..<4).map { UInt8(truncatingIfNeeded: current >> (24 - 8 * UInt32($0))) }
  }
}
