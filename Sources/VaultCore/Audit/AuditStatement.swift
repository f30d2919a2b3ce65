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
/// the digest of line `SEQ`. `log` is the BLAKE2b-256 of the octets from the beginning of the previous checkpoint
/// line, or of the log, up to the beginning of this one; where one segment ends and the next begins,
/// the text simply goes on.
package typealias AuditCheckpoint = AuditStatement<AuditCheckpointKind>

/// A line of `pruned.jsonl`: the log up to a line was taken away, and what is left goes on from
/// there.
///
///     {"pruned":SEQ,"since":SEQ,"time":"…","vault":"…","batch":B,"head":"…","checkpoint_digest":"…","key":"…","signature":"…"}
///
/// `SEQ`, `batch` and `head` are those of the checkpoint that closed the last segment that was taken
/// away, and `since` is the `SEQ` of the record before, zero for the first. That checkpoint's line stands before the record, word for word, for the next checkpoint's
/// `log` begins with it; `checkpoint_digest` is the BLAKE2b-256 of that line with its line feed.
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

  /// Reads a line without its line feed; `nil` when it is not exactly what ``line`` writes.
  ///
  /// - Parameter line: the octets.
  package init?(line: [UInt8]) {
    // Far above the length of any: nothing long is taken apart for nothing.
    guard line.count < 1_024, line.starts(with: Self.prefix) else { return nil }
    let parts = line.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
    guard parts.count == 31, let sequence = Self.number(parts[2]), sequence > 0,
      let since = Self.number(parts[4]), let time = try? Timestamp(Array(parts[7]).span),
      let vaultID = Self.octets(parts[11], 16), let batch = Self.number(parts[14]), batch > 0,
      let head = Self.octets(parts[17], 32), let digest = Self.octets(parts[21], 32),
      let key = Self.octets(parts[25], 32), let signature = Self.octets(parts[29], 64)
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
