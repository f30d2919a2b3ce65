import AliroEngine
import Synchronization
import VaultCrypto

/// The vectors' credential: it notes what it signs, and signs the same transcript the same way.
final class CountingSigner: CredentialSigner {
  static let key: P256PrivateKey = Vectors.aliro.key("credential")
  private static let made = Mutex<[[UInt8]: P256Signature]>([:])
  private static let judged = Mutex<[[UInt8]: Bool]>([:])

  private let signed = Mutex<[[UInt8]]>([])

  var publicKey: P256PublicKey { Self.key.publicKey }

  /// What was signed so far.
  var transcripts: [[UInt8]] { signed.withLock { $0 } }

  func sign(_ transcript: DeviceTranscript) throws(AliroError) -> P256Signature {
    signed.withLock { $0.append(transcript.bytes) }
    return Self.signature(by: Self.key, over: transcript.bytes)
  }

  /// A signature of one of the harness's keys, kept since signing takes most of an execution's time.
  static func signature(by key: P256PrivateKey, over message: [UInt8]) -> P256Signature {
    let name = message + key.publicKey.x
    if let signature = made.withLock({ $0[name] }) { return signature }
    guard let signature = try? key.signature(message: message.span) else {
      fatalError("no signature")
    }
    keep(signature, as: name, in: made)
    return signature
  }

  /// Whether a signature is a key's, kept likewise.
  static func isValid(
    _ signature: P256Signature, by key: P256PublicKey, over message: [UInt8]
  ) -> Bool {
    let name = signature.raw + key.x + message
    if let isValid = judged.withLock({ $0[name] }) { return isValid }
    let isValid = key.isValidSignature(signature, message: message.span)
    keep(isValid, as: name, in: judged)
    return isValid
  }

  private static func keep<Value: Sendable>(
    _ value: Value, as name: [UInt8], in kept: borrowing Mutex<[[UInt8]: Value]>
  ) {
    kept.withLock { kept in
      if kept.count >= 4096 { kept = [:] }
      kept[name] = value
    }
  }
}
