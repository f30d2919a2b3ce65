import WireCoding
import VaultCrypto

/// The stored form of a pass. Equal passes have equal octets, and other octets do not decode:
///
/// `"LKTP" ‖ 01 ‖ access document ‖ number of groups 2 ‖ (identifier ‖ key ‖ certificate) …`, each
/// octet string with its length in four octets before it, all numbers big-endian.
extension TokenUnlockPass {
  private static let prefix = Array("LKTP".utf8) + [1]

  /// The stored form.
  public var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.append(Self.prefix)
    writer.append(prefixed: accessDocument)
    // More groups than fit never pass validation; they are cut off here rather than trapped on.
    let groups = readerGroups.prefix(Int(UInt16.max))
    writer.uint16(UInt16(groups.count))
    for group in groups {
      writer.append(prefixed: group.groupIdentifier)
      writer.append(prefixed: group.issuerCAPublicKey)
      writer.append(prefixed: group.issuerCACertificateDER)
    }
    return writer.bytes
  }

  /// The SHA-256 of the stored form, which names this pass and no other.
  public var digest: [UInt8] { SHA256.hash(encoded.span) }

  /// Reads the stored form.
  ///
  /// - Parameter bytes: exactly what ``encoded`` gave.
  /// - Throws: ``AliroError/storedPass(offset:)`` when they are anything else.
  public init(encoded bytes: Span<UInt8>) throws(AliroError) {
    var reader = ByteReader(bytes)
    do {
      guard try reader.bytes(Self.prefix.count) == Self.prefix else {
        throw AliroError.storedPass(offset: 0)
      }
      let document = try reader.prefixed()
      var groups: [ReaderGroup] = []
      for _ in 0..<(try reader.uint16()) {
        groups.append(
          ReaderGroup(
            groupIdentifier: try reader.prefixed(), issuerCAPublicKey: try reader.prefixed(),
            issuerCACertificateDER: try reader.prefixed()))
      }
      try reader.finish()
      self.init(accessDocument: document, readerGroups: groups)
    } catch {
      throw .storedPass(offset: reader.offset)
    }
  }
}

extension ByteWriter {
  fileprivate mutating func append(prefixed octets: [UInt8]) {
    uint32(UInt32(truncatingIfNeeded: octets.count))
    append(octets)
  }
}

extension ByteReader {
  fileprivate mutating func prefixed() throws(WireCodingError) -> [UInt8] {
    let count = try uint32()
    return try bytes(Int(count))
  }
}
