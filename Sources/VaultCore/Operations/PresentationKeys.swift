import AliroEngine
import SecureMemory
import VaultCrypto

/// A credential key for the engine: it signs device transcripts and nothing else.
struct CredentialKey: CredentialSigner {
  private let key: P256PrivateKey

  init(_ key: P256PrivateKey) { self.key = key }

  var publicKey: P256PublicKey { key.publicKey }

  func sign(_ transcript: DeviceTranscript) throws(AliroError) -> P256Signature {
    do { return try key.signature(message: transcript.bytes.span) } catch {
      throw .refused(Refusal(.busy, "The signature could not be made; try again."))
    }
  }
}

/// Keys from the kernel's generator: the only source the daemon has.
struct SystemKeys: SessionKeySource {
  func makeEphemeralKey() throws(AliroError) -> P256PrivateKey {
    do { return try P256PrivateKey.generate() } catch { throw Self.exhausted }
  }

  func makeDecoyKey() throws(AliroError) -> SecretBytes {
    do { return try SecretBytes(random: 32) } catch { throw Self.exhausted }
  }

  private static let exhausted = AliroError.refused(
    Refusal(.busy, "No locked memory is left for a key; try again."))
}
