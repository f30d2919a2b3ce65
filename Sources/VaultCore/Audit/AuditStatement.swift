import VaultCrypto
package import WireCoding

/// What a signed statement about the audit log says: the words of its grammar.
package protocol AuditStatementKind: Sendable {
  /// The first member, with the number of the line that is spoken of.
  static var name: StaticString { get }
  /// The member that holds the digest.
  static var digestName: StaticString { get }
  /// What the signed octets begin with, so that no statement is taken for one of another kind.
  static var context: StaticString { get }
}

/// The kind of ``AuditCheckpoint``.
package enum AuditCheckpointKind: AuditStatementKind {
  package static let name: StaticString = "checkpoint"
  package static let digestName: StaticString = "log"
  package static let context: StaticString = "latchkey audit checkpoint\n"
}

/// The kind of ``AuditPruneRecord``.
package enum AuditPruneKind: AuditStatementKind {
  package static let name: StaticString = "pruned"
  package static let digestName: StaticString = "checkpoint_digest"
  package static let context: StaticString = "latchkey audit prune\n"
}

/// A line of the segments by which the vault vouches for all lines up to one, to anybody who has
/// its public key.
///
///     {"checkpoint":SEQ,"since":SEQ,"time":"…","vault":"…","batch":B,"head":"…","log":"…","key":"…","signature":"…"}
///
/// It stands behind the closing line of batch `B`, whose last line is `SEQ`. `since` is the `SEQ` of
/// the checkpoint before, zero for the first: a checkpoint that was removed leaves a gap. `head` is
/// the digest of line `SEQ`. `log` is the BLAKE2b-256 of the octets from the beginning of the
/// previous checkpoint line, or of the log, up to the beginning of this one; where one segment ends
/// and the next begins, the text simply goes on.
package typealias AuditCheckpoint = AuditStatement<AuditCheckpointKind>

/// A line of `pruned.jsonl`: the log up to a line was taken away, and what is left goes on from
/// there.
///
///     {"pruned":SEQ,"since":SEQ,"time":"…","vault":"…","batch":B,"head":"…","checkpoint_digest":"…","key":"…","signature":"…"}
///
/// `SEQ`, `batch` and `head` are those of the checkpoint that closed the last segment that was taken
/// away, and `since` is the `SEQ` of the record before, zero for the first. That checkpoint's line
/// stands before the record, word for word, for the next checkpoint's `log` begins with it;
/// `checkpoint_digest` is the BLAKE2b-256 of that line with its line feed.
package typealias AuditPruneRecord = AuditStatement<AuditPruneKind>

/// A signed line about the audit log.
package struct AuditStatement<Kind: AuditStatementKind>: Hashable, Sendable {
  /// The number of the last line that it covers.
  package var sequence: Int64
  /// The number of the last line that the statement before it covers, zero for the first.
  package var since: Int64
  /// When it was made.
  package var time: Timestamp
  /// The vault's identifier, 16 octets.
  package var vaultID: [UInt8]
  /// The number of the batch that the line closes.
  package var batch: Int64
  /// The digest of that line, 32 octets: the head of the chain there.
  package var head: [UInt8]
  /// The digest that the kind is about, 32 octets.
  package var digest: [UInt8]
  /// The public key that it is signed with, 32 octets.
  package var key: [UInt8]
  /// The signature, 64 octets.
  package var signature: [UInt8]

  /// Makes a statement, signed.
  ///
  /// - Parameters:
  ///   - position: the last line and its batch.
  ///   - since: the last line that the statement before it covers, zero for the first.
  ///   - digest: what the kind is about, 32 octets.
  ///   - vaultID: the vault's identifier, 16 octets.
  ///   - time: when.
  ///   - key: signs it.
  /// - Throws: ``VaultCryptoError/libraryFailure(_:)`` only if the library refuses.
  init(
    _ position: AuditPosition, since: Int64, digest: [UInt8], vaultID: [UInt8],
    at time: Timestamp, by key: borrowing Ed25519PrivateKey
  ) throws(VaultCryptoError) {
    sequence = position.chain.sequence
    batch = position.epoch
    head = position.chain.head
    self.since = since
    self.time = time
    self.vaultID = vaultID
    self.digest = digest
    self.key = key.publicKey.octets
    signature = []
    signature = try key.signature(message: signedText.span)
  }

  /// A statement with neither time, digest nor signature, for the form of its line.
  init(blankAt position: AuditPosition, since: Int64, _ unsealed: UnsealedLedger) {
    self.since = since
    sequence = position.chain.sequence
    batch = position.epoch
    head = position.chain.head
    time = .earliest
    vaultID = unsealed.vaultID
    digest = [UInt8](repeating: 0, count: 32)
    key = unsealed.keys.checkpoint.publicKey.octets
    signature = [UInt8](repeating: 0, count: 64)
  }

  /// Where the values stand between the quotation marks of a line.
  enum Member {
    static var count: Int { 31 }
    static var sequence: Int { 2 }
    static var since: Int { 4 }
    static var time: Int { 7 }
    static var vault: Int { 11 }
    static var batch: Int { 14 }
    static var head: Int { 17 }
    static var digest: Int { 21 }
    static var key: Int { 25 }
    static var signature: Int { 29 }
    /// Those that are not known before the line is made.
    static var unknown: Set<Int> { [time, digest, signature] }
  }

  /// Reads a line without its line feed; `nil` when it is not exactly what ``line`` writes.
  ///
  /// - Parameter line: the octets.
  package init?(line: [UInt8]) {
    // Far above the length of any: nothing long is taken apart for nothing.
    guard line.count < 1_024, line.starts(with: Self.prefix) else { return nil }
    let parts = line.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
    guard parts.count == Member.count, let sequence = Self.number(parts[Member.sequence]),
      sequence > 0, let since = Self.number(parts[Member.since]),
      let time = try? Timestamp(Array(parts[Member.time]).span),
      let vaultID = Self.octets(parts[Member.vault], 16),
      let batch = Self.number(parts[Member.batch]), batch > 0,
      let head = Self.octets(parts[Member.head], 32),
      let digest = Self.octets(parts[Member.digest], 32),
      let key = Self.octets(parts[Member.key], 32),
      let signature = Self.octets(parts[Member.signature], 64)
    else { return nil }
    self.sequence = sequence
    self.since = since
    self.time = time
    self.vaultID = vaultID
    self.batch = batch
    self.head = head
    self.digest = digest
    self.key = key
    self.signature = signature
    // Writing it again and comparing is the whole grammar check.
    guard self.line.dropLast().elementsEqual(line) else { return nil }
  }

  /// The position in the log that it is about.
  var position: AuditPosition {
    AuditPosition(epoch: batch, chain: AuditChain(sequence: sequence, head: head))
  }

  /// How such a line starts.
  package static var prefix: [UInt8] { Array("{\"\(Kind.name)\":".utf8) }

  /// The line with its line feed.
  package var line: [UInt8] {
    var json = members
    json.name("signature")
    json.hex(signature.span)
    json.endObject()
    return json.bytes + [UInt8(ascii: "\n")]
  }

  /// What the signature covers: the kind's context, then the line up to the signature.
  package var signedText: [UInt8] { Array(Kind.context.description.utf8) + members.bytes }

  /// Whether the key that the line names has signed it; whose key that is must be known otherwise.
  package var isSigned: Bool {
    guard let key = try? Ed25519PublicKey(key) else { return false }
    return key.isValidSignature(signature.span, message: signedText.span)
  }

  private var members: JSONWriter {
    var json = JSONWriter(reservingCapacity: 640)
    json.beginObject()
    json.name(Kind.name)
    json.integer(sequence)
    json.name("since")
    json.integer(since)
    json.name("time")
    json.timestamp(time)
    json.name("vault")
    json.hex(vaultID.span)
    json.name("batch")
    json.integer(batch)
    json.name("head")
    json.hex(head.span)
    json.name(Kind.digestName)
    json.hex(digest.span)
    json.name("key")
    json.hex(key.span)
    return json
  }

  /// A number between `:` and `,`, or zero.
  private static func number(_ text: ArraySlice<UInt8>) -> Int64? {
    let digits = text.dropFirst().dropLast()
    guard let value = Int64(String(decoding: digits, as: UTF8.self)),
      value == 0 || AuditChain.numbers.contains(value)
    else { return nil }
    return value
  }

  private static func octets(_ text: ArraySlice<UInt8>, _ count: Int) -> [UInt8]? {
    guard text.count == 2 * count else { return nil }
    return try? Hex.decode(Array(text).span)
  }
}
