public import SecureMemory
import VaultCrypto

/// What a reader advertises over BLE (section 12), checked for form alone.
public struct Advertisement: Hashable, Sendable {
  /// The start of the reader group's identifier, 8 octets.
  public let groupPrefix: [UInt8]
  /// Whether the reader can be connected to: the version is known, and BLE is offered, with UWB or
  /// without.
  public let isConnectable: Bool

  private let expiry: [UInt8]
  private let tag: [UInt8]

  /// Service data of 27 octets for the UUID FFF2, after three octets of flags.
  private static let header: [UInt8] = [0x1B, 0x16, 0xF2, 0xFF]

  /// Reads advertising data.
  ///
  /// - Parameter octets: the 31 octets.
  /// - Throws: ``AliroError/parameter(_:)`` with `advertisement` when they are not a reader's.
  public init(_ octets: [UInt8]) throws(AliroError) {
    // The value of the flags is the radio's business, and octet 23 is spare.
    guard octets.count == 31, octets[0..<2] == [0x02, 0x01], Array(octets[3..<7]) == Self.header
    else { throw .parameter("advertisement") }
    isConnectable = octets[7] & 0x07 == 0 && octets[7] & 0xC0 != 0
    groupPrefix = Array(octets[9..<17])
    expiry = Array(octets[19..<23])
    tag = Array(octets[24..<31])
  }

  /// Tells whether the reader may belong to a group, as far as the start of its identifier tells.
  ///
  /// - Parameter group: the identifier, 16 octets.
  /// - Returns: whether it begins as the advertisement says.
  public func isOf(group: [UInt8]) -> Bool {
    group.count == 16 && group.starts(with: groupPrefix)
  }

  /// Tells whether a reader with a group's resolving key made the advertisement, in a time that does
  /// not depend on how much of the tag agrees.
  ///
  /// - Parameters:
  ///   - key: the group resolving key, 16 octets.
  ///   - address: the advertising address, 6 octets, the most significant first.
  /// - Returns: whether the dynamic tag is that of the key.
  /// - Throws: ``AliroError/parameter(_:)`` with `address`; ``AliroError/refused(_:)`` when the
  ///   key has another length, or locked memory ran out.
  public func matches(
    _ key: borrowing SecretBytes, address: [UInt8]
  ) throws(AliroError) -> Bool {
    guard address.count == 6 else { throw .parameter("address") }
    let block = [UInt8](repeating: 0, count: 6) + address + expiry
    do {
      let encrypted = try AES128.encrypt(block: block.span, key: key)
      let expected = try encrypted.withBytes { try SecretBytes(copying: $0.extracting(first: 7)) }
      return try expected.isEqual(to: SecretBytes(copying: tag.span))
    } catch {
      throw .refused(Failure(computation: error).refusal)
    }
  }
}
