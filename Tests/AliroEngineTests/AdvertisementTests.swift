import SecureMemory
import Testing

@testable import AliroEngine

/// What readers advertise (section 12).
@Suite struct AdvertisementTests {
  private let vector = Vector.all.advertisement

  private func matches(
    _ octets: [UInt8], key: [UInt8]? = nil, address: [UInt8]? = nil
  ) throws -> Bool {
    let octetsOfKey = key ?? vector.groupResolvingKey.hex
    let key = try SecretBytes(copying: octetsOfKey.span)
    return try Advertisement(octets).matches(
      key, address: address ?? vector.advertisingAddress.hex)
  }

  @Test func `recognises the advertisement of the vectors`() throws {
    let advertisement = try Advertisement(vector.advertisingData.hex)
    #expect(advertisement.groupPrefix == hexOctets("0011223344556677"))
    #expect(advertisement.isConnectable)
    #expect(advertisement.isOf(group: hexOctets("00112233445566778899aabbccddeeff")))
    #expect(!advertisement.isOf(group: hexOctets("00112233445566788899aabbccddeeff")))
    #expect(!advertisement.isOf(group: hexOctets("0011223344556677")))
    #expect(!advertisement.isOf(group: []))
    #expect(try matches(vector.advertisingData.hex))
  }

  @Test func `another key, address or tag does not match`() throws {
    let octets = vector.advertisingData.hex
    for index in 0..<16 {
      var key = vector.groupResolvingKey.hex
      key[index] ^= 1
      #expect(try !matches(octets, key: key))
    }
    for index in 0..<6 {
      var address = vector.advertisingAddress.hex
      address[index] ^= 1
      #expect(try !matches(octets, address: address))
    }
    #expect(try !matches(octets, address: vector.advertisingAddress.hex.reversed()))
    for index in octets.indices.dropFirst(17) {
      var changed = octets
      changed[index] ^= 0x80
      // Sub-identifier and the spare octet are not in the tag; expiry and the tag itself are.
      #expect(try matches(changed) == [17, 18, 23].contains(index))
    }
  }

  @Test func `a key or an address of another length is refused`() throws {
    let octets = vector.advertisingData.hex
    for address in [[], [UInt8](repeating: 0, count: 5), [UInt8](repeating: 0, count: 7)] {
      #expect(throws: AliroError.parameter("address")) { _ = try matches(octets, address: address) }
    }
    for count in [0, 15, 17, 32] {
      #expect(throws: AliroError.self) {
        _ = try matches(octets, key: [UInt8](repeating: 1, count: count))
      }
    }
  }

  @Test(
    arguments: [
      (0x40, true), (0x80, true), (0xC0, true), (0xD8, true), (0x00, false), (0x18, false),
      (0x38, false), (0x41, false), (0xC2, false), (0x84, false),
    ] as [(UInt8, Bool)])
  func `only a known version that offers BLE can be connected to`(octet: UInt8, isConnectable: Bool)
    throws
  {
    var octets = vector.advertisingData.hex
    octets[7] = octet
    #expect(try Advertisement(octets).isConnectable == isConnectable)
  }

  @Test func `other octets are no reader's advertisement`() throws {
    let octets = vector.advertisingData.hex
    for count in [0, 1, 30] {
      #expect(throws: AliroError.parameter("advertisement")) {
        _ = try Advertisement(Array(octets.prefix(count)))
      }
    }
    #expect(throws: AliroError.parameter("advertisement")) { _ = try Advertisement(octets + [0]) }
    for index in octets.indices {
      for octet in UInt8.min...UInt8.max where octet != octets[index] {
        var changed = octets
        changed[index] = octet
        // Lengths, types and the service's identifier.
        let isFixed = [0, 1, 3, 4, 5, 6].contains(index)
        #expect(((try? Advertisement(changed)) == nil) == isFixed, "\(index)")
      }
    }
  }
}
