import SecureMemory
import Testing

@testable import VaultCrypto

@Suite struct SealingTests {
  @Test func `sealing gives the vector of the XChaCha20-Poly1305 draft`() throws {
    // draft-irtf-cfrg-xchacha-03, A.3.1
    let text = """
      Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the \
      future, sunscreen would be it.
      """
    let key = try SealingKey(secret([UInt8](0x80...0x9F)))
    let data: Hex = "50515253c0c1c2c3c4c5c6c7"
    let box: Hex = """
      bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa6440bf3a82f4eda7e39\
      ae64c6708c54c216cb96b72e1213b4522f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff9\
      21f9664c97637da9768812f615c68b13b52ec0875924c1c7987947deafd8780acf49
      """
    let nonce = [UInt8](0x40...0x57)
    let sealed = try key.seal(Array(text.utf8).span, nonce: nonce, associatedData: data.octets.span)
    #expect(sealed == Sealed(nonce: nonce, box: box.octets))
    let opened = try key.open(
      nonce: nonce.span, box: box.octets.span, associatedData: data.octets.span)
    #expect(octets(opened) == Array(text.utf8))
  }

  @Test(arguments: [0, 1, 32, 64, 65, 5000])
  func `what is sealed opens`(count: Int) throws {
    let key = try SealingKey(SecretBytes(random: 32))
    let (text, data) = (SecureRandom.bytes(count), SecureRandom.bytes(count / 2))
    let sealed = try key.seal(text.span, associatedData: data.span)
    #expect(sealed.nonce.count == 24)
    #expect(sealed.box.count == count + 16)
    let opened = try key.open(
      nonce: sealed.nonce.span, box: sealed.box.span, associatedData: data.span)
    #expect(octets(opened) == text)
    let again = try key.seal(text.span, associatedData: data.span)
    #expect(again.nonce != sealed.nonce)
  }

  @Test func `any changed octet fails in the same way`() throws {
    let key = try SealingKey(SecretBytes(random: 32))
    let data: [UInt8] = [1, 2, 3]
    let sealed = try key.seal([9, 9, 9, 9].span, associatedData: data.span)
    func fails(_ nonce: [UInt8], _ box: [UInt8], _ data: [UInt8]) {
      #expect(throws: VaultCryptoError.authenticationFailed) {
        _ = try key.open(nonce: nonce.span, box: box.span, associatedData: data.span)
      }
    }
    func changes(of octets: [UInt8]) -> [[UInt8]] {
      octets.indices.map { index in
        var changed = octets
        changed[index] ^= 1
        return changed
      } + (0..<octets.count).map { Array(octets[..<$0]) } + [octets + [0]]
    }
    changes(of: sealed.nonce).forEach { fails($0, sealed.box, data) }
    changes(of: sealed.box).forEach { fails(sealed.nonce, $0, data) }
    changes(of: data).forEach { fails(sealed.nonce, sealed.box, $0) }
    let other = try SealingKey(SecretBytes(random: 32))
    #expect(throws: VaultCryptoError.authenticationFailed) {
      _ = try other.open(nonce: sealed.nonce.span, box: sealed.box.span, associatedData: data.span)
    }
  }

  @Test func `AES-GCM fails in the same way for any changed octet`() throws {
    let cipher = try AESGCM(key: SecretBytes(random: 32))
    let (nonce, data) = ([UInt8](repeating: 1, count: 12), [UInt8](repeating: 2, count: 5))
    let sealed = try cipher.seal([9, 9, 9].span, nonce: nonce.span, associatedData: data.span)
    for index in sealed.indices {
      var changed = sealed
      changed[index] ^= 1
      #expect(throws: VaultCryptoError.authenticationFailed) {
        _ = try cipher.open(changed.span, nonce: nonce.span, associatedData: data.span)
      }
      #expect(throws: VaultCryptoError.authenticationFailed) {
        _ = try cipher.open(
          sealed.span.extracting(0..<index), nonce: nonce.span, associatedData: data.span)
      }
    }
    let opened = try cipher.open(sealed.span, nonce: nonce.span, associatedData: data.span)
    #expect(octets(opened) == [9, 9, 9])
  }

  @Test(arguments: [0, 16, 31, 33, 64])
  func `keys of another length are refused`(count: Int) {
    #expect(throws: VaultCryptoError.invalidKey) { _ = try SealingKey(SecretBytes(zeroed: count)) }
    #expect(throws: VaultCryptoError.invalidKey) { _ = try MACKey(SecretBytes(zeroed: count)) }
    #expect(throws: VaultCryptoError.invalidKey) { _ = try MasterKey(SecretBytes(zeroed: count)) }
    guard count != 16 else { return }
    #expect(throws: VaultCryptoError.invalidKey) { _ = try AESGCM(key: SecretBytes(zeroed: count)) }
  }

  @Test func `a master key sealed under a slot key comes back`() throws {
    let master = try MasterKey.generate()
    let slot = try SealingKey(SecretBytes(random: 32))
    let header: [UInt8] = [1, 2]
    let sealed = try master.sealed(with: slot, associatedData: header.span)
    let again = try MasterKey(
      slot.open(nonce: sealed.nonce.span, box: sealed.box.span, associatedData: header.span))
    let subkeys = (octets(try master.subkey(.wrap)), octets(try again.subkey(.wrap)))
    #expect(subkeys.0 == subkeys.1)
  }
}
