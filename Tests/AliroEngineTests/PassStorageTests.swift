import Testing

@testable import AliroEngine

/// The stored form of a pass, in both versions.
@Suite struct PassStorageTests {
  @Test func `the stored form reads back, and nothing else does`() throws {
    let pass = try TokenUnlockPassTests.pass()
    let stored = pass.encoded
    #expect(try TokenUnlockPass(encoded: stored.span) == pass)
    for count in stored.indices {
      let cut = Array(stored.prefix(count))
      #expect(throws: AliroError.self) { _ = try TokenUnlockPass(encoded: cut.span) }
    }
    #expect(throws: AliroError.storedPass(offset: stored.count)) {
      _ = try TokenUnlockPass(encoded: (stored + [0]).span)
    }
    for index in stored.indices {
      var changed = stored
      changed[index] ^= 0x40
      guard let read = try? TokenUnlockPass(encoded: changed.span) else { continue }
      #expect(read.encoded == changed)
    }
    let empty = TokenUnlockPass(accessDocument: [], readerGroups: [])
    #expect(try TokenUnlockPass(encoded: empty.encoded.span) == empty)
  }

  @Test func `the digest tells passes apart`() throws {
    let pass = try TokenUnlockPassTests.pass()
    var other = pass
    other.readerGroups.swapAt(0, 1)
    #expect(pass.digest.count == 32)
    #expect(pass.digest != other.digest)
    #expect(pass.digest == (try TokenUnlockPassTests.pass()).digest)
  }

  @Test func `the stored form grows only with what a pass has`() throws {
    let plain = TokenUnlockPass(accessDocument: [0xAA], readerGroups: [])
    #expect(plain.encoded == hexOctets("4c4b5450 01 00000001 aa 0000"))
    var pass = plain
    pass.mailbox = MailboxSettings(
      size: 4096, isReadable: true, isWritable: false, isUsableInStepUp: true)
    #expect(pass.encoded == hexOctets("4c4b5450 02 00000001 aa 0000 04 00001000 05"))
    pass.revocationDocument = [0xBB, 0xCC]
    pass.credentialIssuerKey = []
    #expect(
      pass.encoded
        == hexOctets("4c4b5450 02 00000001 aa 0000 07 00000002 bbcc 00000000 00001000 05"))
    #expect(try TokenUnlockPass(encoded: pass.encoded.span) == pass)
  }

  @Test(arguments: [
    ("4c4b5450 02 00000001 aa 0000", "version 2 without the rest"),
    ("4c4b5450 02 00000001 aa 0000 00", "version 2 for a plain pass"),
    ("4c4b5450 01 00000001 aa 0000 00", "version 1 with more"),
    ("4c4b5450 02 00000001 aa 0000 08", "an unknown bit"),
    ("4c4b5450 02 00000001 aa 0000 04 00001000 08", "an unknown permission"),
    ("4c4b5450 02 00000001 aa 0000 04 00001000", "no permissions"),
    ("4c4b5450 02 00000001 aa 0000 04 00001000 0500", "something behind it"),
    ("4c4b5450 02 00000001 aa 0000 01 ffffffff", "a document that is not there"),
    ("4c4b5450 00 00000001 aa 0000", "version 0"), ("4c4b5450 03 00000001 aa 0000 00", "version 3"),
  ])
  func `other octets are no stored pass`(text: String, name: String) {
    let octets = hexOctets(text)
    #expect(throws: AliroError.self) { _ = try TokenUnlockPass(encoded: octets.span) }
  }

  @Test func `every part of a full pass is read back, and is in the digest`() throws {
    let pass = try TokenUnlockPassTests.fullPass()
    let stored = pass.encoded
    #expect(try TokenUnlockPass(encoded: stored.span) == pass)
    for count in stored.indices {
      let cut = Array(stored.prefix(count))
      #expect(throws: AliroError.self) { _ = try TokenUnlockPass(encoded: cut.span) }
    }
    for index in stored.indices {
      var changed = stored
      changed[index] ^= 0x04
      guard let read = try? TokenUnlockPass(encoded: changed.span) else { continue }
      #expect(read.encoded == changed)
    }
    var others = [pass, pass, pass, pass]
    others[1].revocationDocument = nil
    others[2].credentialIssuerKey = nil
    others[3].mailbox?.isWritable = true
    #expect(Set(others.map(\.digest)).count == 4)
  }
}
