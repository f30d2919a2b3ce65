import AliroEngine
import SecureMemory
import VaultCrypto

extension FuzzTarget {
  /// Advertising data: it is of a group by the beginning of its identifier, and verified by every
  /// bit of its tag.
  static let aliroAdvertisement = FuzzTarget("aliro-advertisement") { input in
    var octets = copy(input)
    guard let advertisement = try? Advertisement(octets) else { return }
    let group = octets[9..<17] + [UInt8](repeating: 7, count: 8)
    require(advertisement.isOf(group: Array(group)), "the group's beginning is the prefix")
    require(!advertisement.isOf(group: Array(group.dropLast())), "an identifier is 16 octets")
    let isOffered = octets[7] & 0xC0 != 0 && octets[7] & 7 == 0
    require(advertisement.isConnectable == isOffered, "what it offers is what it says")
    let isOwn = AdvertisementTarget.tag(octets) == octets[24...]
    require(AdvertisementTarget.isVerified(octets) == isOwn, "verified by the whole tag")
    octets.replaceSubrange(24..., with: AdvertisementTarget.tag(octets))
    require(AdvertisementTarget.isVerified(octets), "the key's own tag verifies")
    octets[24 + Int(octets[8]) % 7] ^= 1 << (octets[7] & 7)
    require(!AdvertisementTarget.isVerified(octets), "any other tag does not")
  }
}

private enum AdvertisementTarget {
  private static let key = Vectors.aliro.octets("advertisement.groupResolvingKey")
  private static let address = Vectors.aliro.octets("advertisement.advertisingAddress")

  static func isVerified(_ octets: [UInt8]) -> Bool {
    guard let advertisement = try? Advertisement(octets),
      let key = try? SecretBytes(copying: key.span)
    else { return false }
    return (try? advertisement.matches(key, address: address)) == true
  }

  /// The tag that the key makes for the rest of an advertisement.
  static func tag(_ octets: [UInt8]) -> ArraySlice<UInt8> {
    let block = [UInt8](repeating: 0, count: 6) + address + octets[19..<23]
    guard let key = try? SecretBytes(copying: key.span),
      let encrypted = try? AES128.encrypt(block: block.span, key: key)
    else { fatalError("no memory") }
    return encrypted.withBytes { copy($0) }[0..<7]
  }
}
