import VaultCrypto
import WireCoding

/// The stored form of a pass. Equal passes have equal octets, and other octets do not decode:
///
/// `"LKTP" ‖ version 1 ‖ access document ‖ number of groups 2 ‖ (identifier ‖ key ‖ certificate) …`,
/// and in version 2 ‖ which of the rest there is 1 (bit 0, 1, 2) ‖ revocation document ‖ issuer's key
/// ‖ mailbox: size 4, permissions 1 (readable, writable, in step-up: bit 0, 1, 2). Each octet string
/// has its length in four octets before it; all numbers are big-endian. Version 2 is for passes that
/// have something of the rest, version 1 for those that have not.
extension TokenUnlockPass {
  private static let mark = Array("LKTP".utf8)

  /// The stored form.
  public var encoded: [UInt8] {
    var writer = ByteWriter()
    let extras = Bits(
      revocationDocument != nil, credentialIssuerKey != nil, mailbox != nil)
    writer.append(Self.mark)
    writer.uint8(extras.octet == 0 ? 1 : 2)
    writer.append(prefixed: accessDocument)
    // More groups than fit never pass validation; they are cut off here rather than trapped on.
    let groups = readerGroups.prefix(Int(UInt16.max))
    writer.uint16(UInt16(groups.count))
    for group in groups {
      writer.append(prefixed: group.groupIdentifier)
      writer.append(prefixed: group.issuerCAPublicKey)
      writer.append(prefixed: group.issuerCACertificateDER)
    }
    guard extras.octet != 0 else { return writer.bytes }
    writer.uint8(extras.octet)
    if let revocationDocument { writer.append(prefixed: revocationDocument) }
    if let credentialIssuerKey { writer.append(prefixed: credentialIssuerKey) }
    if let mailbox { writer.append(mailbox) }
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
      guard try reader.bytes(Self.mark.count) == Self.mark else {
        throw AliroError.storedPass(offset: 0)
      }
      let version = try reader.uint8()
      guard version == 1 || version == 2 else { throw AliroError.storedPass(offset: 4) }
      let document = try reader.prefixed()
      var groups: [ReaderGroup] = []
      for _ in 0..<(try reader.uint16()) {
        groups.append(
          ReaderGroup(
            groupIdentifier: try reader.prefixed(), issuerCAPublicKey: try reader.prefixed(),
            issuerCACertificateDER: try reader.prefixed()))
      }
      self.init(accessDocument: document, readerGroups: groups)
      if version == 2 {
        let extras = try reader.bits()
        guard extras.octet != 0 else { throw AliroError.storedPass(offset: reader.offset) }
        if extras[0] { revocationDocument = try reader.prefixed() }
        if extras[1] { credentialIssuerKey = try reader.prefixed() }
        if extras[2] { mailbox = try reader.mailbox() }
      }
      try reader.finish()
    } catch {
      throw .storedPass(offset: reader.offset)
    }
  }
}

/// Three flags in an octet, the first in bit 0; the other bits are zero.
private struct Bits {
  let octet: UInt8

  init(_ first: Bool, _ second: Bool, _ third: Bool) {
    octet = (first ? 1 : 0) | (second ? 2 : 0) | (third ? 4 : 0)
  }

  init?(_ octet: UInt8) {
    guard octet < 8 else { return nil }
    self.octet = octet
  }

  subscript(_ bit: UInt8) -> Bool { octet & (1 << bit) != 0 }
}

extension ByteWriter {
  fileprivate mutating func append(prefixed octets: [UInt8]) {
    uint32(UInt32(truncatingIfNeeded: octets.count))
    append(octets)
  }

  fileprivate mutating func append(_ mailbox: MailboxSettings) {
    // A size that does not fit never passes validation.
    uint32(UInt32(clamping: mailbox.size))
    uint8(Bits(mailbox.isReadable, mailbox.isWritable, mailbox.isUsableInStepUp).octet)
  }
}

extension ByteReader {
  fileprivate mutating func prefixed() throws(WireCodingError) -> [UInt8] {
    let count = try uint32()
    return try bytes(Int(count))
  }

  fileprivate mutating func bits() throws -> Bits {
    guard let bits = Bits(try uint8()) else { throw AliroError.storedPass(offset: offset) }
    return bits
  }

  fileprivate mutating func mailbox() throws -> MailboxSettings {
    let size = Int(try uint32())
    let permissions = try bits()
    return MailboxSettings(
      size: size, isReadable: permissions[0], isWritable: permissions[1],
      isUsableInStepUp: permissions[2])
  }
}
