import SecureMemory
import WireCoding

/// The transcripts that a namespace has signed whose SHA-256 begins with one octet: the content of a
/// record, `1 ‖ count × digest 32`, ascending.
///
/// Being records of the authenticated index, they prove that a transcript was *not* signed before:
/// one that is missing, changed or from another time is damage.
struct SignedTranscripts: Hashable, Sendable {
  /// The most digests in one record.
  ///
  /// A signature rewrites the record, which passes through locked memory. In all 256 records this is
  /// a million signatures of one key.
  static let bound = 4_096

  private static let digestLength = 32

  /// The octet that the digests begin with.
  let first: UInt8
  /// The digests, ascending.
  private(set) var digests: [[UInt8]] = []

  /// Starts without digests.
  init(startingWith first: UInt8) {
    self.first = first
  }

  /// The record's identifier among those of kind `signedTranscripts`: two hexadecimal digits.
  static func identifier(_ first: UInt8) -> String {
    (first < 16 ? "0" : "") + String(first, radix: 16)
  }

  /// Opens a record that the vault has unsealed.
  ///
  /// - Parameters:
  ///   - record: the record.
  ///   - first: the octet that its digests begin with.
  /// - Throws: ``VaultError`` `damaged` when it is not what ``encode()`` makes.
  init(opening record: borrowing SecretBytes, startingWith first: UInt8) throws(VaultError) {
    let length = Self.digestLength
    let found = record.withBytes { bytes -> [[UInt8]]? in
      guard bytes.count > 1, bytes[0] == 1, bytes.count % length == 1,
        bytes.count / length <= Self.bound
      else { return nil }
      var digests: [[UInt8]] = []
      for start in stride(from: 1, to: bytes.count, by: length) {
        let digest = (start..<start + length).map { bytes[$0] }
        guard digest[0] == first, digests.last?.lexicographicallyPrecedes(digest) ?? true else {
          return nil
        }
        digests.append(digest)
      }
      return digests
    }
    guard let found else {
      throw VaultError(.damaged, "a record of signed transcripts does not hold such digests")
    }
    self.first = first
    digests = found
  }

  /// The record as it is sealed.
  func encode() throws(VaultError) -> SecretBytes {
    let octets = [1] + digests.joined()
    do { return try SecretBytes(copying: octets.span) } catch { throw VaultError(.memory(error)) }
  }

  /// Adds a transcript.
  ///
  /// - Parameter digest: its SHA-256, which begins with ``first``.
  /// - Throws: ``VaultError`` `conflict` when it is there, `key_unusable` when there is no room:
  ///   none is ever forgotten.
  mutating func add(_ digest: [UInt8]) throws(VaultError) {
    guard digest.count == Self.digestLength, digest[0] == first else {
      throw VaultError(.internal, "a transcript does not fit its record")
    }
    let place = digests.firstIndex { !$0.lexicographicallyPrecedes(digest) } ?? digests.endIndex
    guard place == digests.endIndex || digests[place] != digest else {
      throw VaultError(
        .conflict, "this transcript was signed before: a transaction has its own ephemeral keys",
        field: "transaction_identifier")
    }
    guard digests.count < Self.bound else {
      throw VaultError(
        .keyUnusable,
        "the key has signed as many transcripts as the vault remembers: have a pass issued for a"
          + " new key",
        field: "namespace")
    }
    digests.insert(digest, at: place)
  }
}

extension CommitContext {
  /// Notes that a namespace signs a transcript now, which it does once.
  ///
  /// - Parameters:
  ///   - digest: SHA-256 of the transcript.
  ///   - name: the namespace.
  /// - Throws: ``VaultError`` `conflict` when it was signed before; `damaged` when it cannot be told.
  func noteSigned(_ digest: [UInt8], by name: NamespaceName) throws(VaultError) {
    guard let first = digest.first else {
      throw VaultError(.internal, "a transcript has no digest")
    }
    let id = SignedTranscripts.identifier(first)
    var transcripts = SignedTranscripts(startingWith: first)
    if let found = try open(.signedTranscripts, id, in: name) {
      transcripts = try SignedTranscripts(opening: found, startingWith: first)
    }
    try transcripts.add(digest)
    let content = try transcripts.encode()
    try ledger { writer throws(LedgerError) in
      _ = try writer.put(content, .signedTranscripts, id, in: name)
    }
  }
}
