import SecureMemory
import Testing
import VaultCrypto
import WireCoding

@testable import VaultCore

/// The records of what a namespace knows of readers: what they hold, and that nothing else opens.
@Suite struct ReaderRecordTests {
  private static let noon = Timestamp(clamping: 1_700_000_000)

  private func secret(_ octets: [UInt8]) throws -> SecretBytes {
    try SecretBytes(copying: octets.span)
  }

  private func octets(_ secret: borrowing SecretBytes) -> [UInt8] {
    secret.withBytes { bytes in bytes.indices.map { bytes[$0] } }
  }

  private func reader(_ number: Int) -> [UInt8] {
    [UInt8](repeating: 7, count: 30) + [UInt8(number >> 8), UInt8(number & 0xFF)]
  }

  private func key(_ number: Int) throws -> SecretBytes {
    try secret([UInt8](repeating: UInt8(number & 0xFF), count: 31) + [UInt8(number >> 8)])
  }

  /// A record with the keys of these readers, each at its own time.
  private func record(
    _ readers: Range<Int>, until: Timestamp? = nil
  ) throws -> PersistentKeyRecord {
    var record = try PersistentKeyRecord(forKey: 3)
    for number in readers {
      record = try record.adding(
        key(number), for: reader(number), until: until, keyVersion: 3, at: Int64(number))
    }
    return record
  }

  private func found(
    _ record: borrowing PersistentKeyRecord, _ number: Int, version: Int64 = 3,
    at time: Timestamp = noon
  ) throws -> [UInt8]? {
    guard let key = try record.key(of: reader(number), keyVersion: version, at: time) else {
      return nil
    }
    return octets(key)
  }

  @Test func `holds a key for each of 64 readers, and the oldest goes`() throws {
    let full = try record(0..<64)
    #expect(full.count == 64)
    for number in 0..<64 { #expect(try found(full, number) == octets(key(number))) }
    let next = try full.adding(key(64), for: reader(64), until: nil, keyVersion: 3, at: 64)
    #expect(next.count == 64)
    #expect(try found(next, 0) == nil)
    for number in 1...64 { #expect(try found(next, number) == octets(key(number))) }
    // A reader that comes back is the newest.
    let again = try next.adding(key(900), for: reader(1), until: nil, keyVersion: 3, at: 65)
      .adding(key(66), for: reader(66), until: nil, keyVersion: 3, at: 66)
    #expect(again.count == 64)
    #expect(try found(again, 1) == octets(key(900)) && found(again, 2) == nil)
  }

  @Test func `gives no key after its end, nor under another credential`() throws {
    let record = try record(0..<2, until: Self.noon)
    #expect(try found(record, 1) != nil)
    #expect(try found(record, 1, at: Timestamp(clamping: Self.noon.seconds + 1)) == nil)
    #expect(try found(record, 1, version: 4) == nil)
    #expect(try found(record, 2) == nil)
    let next = try record.adding(key(9), for: reader(9), until: nil, keyVersion: 4, at: 1)
    #expect(next.count == 1)
    #expect(try found(next, 9, version: 4, at: .latest) == octets(key(9)))
    #expect(throws: VaultError.self) {
      _ = try record.adding(secret([1]), for: reader(1), until: nil, keyVersion: 3, at: 1)
    }
    #expect(throws: VaultError.self) {
      _ = try record.adding(key(1), for: [1], until: nil, keyVersion: 3, at: 1)
    }
  }

  /// Opens octets as a record; whatever opens must be what was written.
  private func opens(_ bytes: [UInt8]) throws -> Bool {
    do {
      let opened = try PersistentKeyRecord(opening: secret(bytes))
      #expect(octets(opened.content) == bytes)
      for number in 0..<4 { _ = try found(opened, number, version: opened.keyVersion) }
      return true
    } catch let error as VaultError {
      #expect(error.code == .damaged)
      return false
    }
  }

  @Test func `nothing but a whole record of persistent keys opens`() throws {
    let whole = octets(try record(0..<3).content)
    #expect(whole.count == 6 + 3 * 80)
    #expect(try opens(whole))
    for count in 0..<whole.count { #expect(try !opens(Array(whole.prefix(count)))) }
    #expect(try !opens(whole + [0]))
    #expect(try !opens(whole + whole.suffix(80)))
    #expect(try !opens([1, 0, 0, 0, 3, 0]))
    for version: UInt8 in [0, 2, 0xFF] { #expect(try !opens([version] + whole.dropFirst())) }
    for count: UInt8 in [0, 2, 4, 65, 255] {
      #expect(try !opens(Array(whole[0..<5]) + [count] + whole[6...]))
    }
    // The same reader twice, and an end that is no time.
    #expect(try !opens([1, 0, 0, 0, 3, 2] + whole[6..<86] + whole[6..<86]))
    var late = whole
    late.replaceSubrange(46..<54, with: [0x70, 0, 0, 0, 0, 0, 0, 0])
    #expect(try !opens(late))
    let huge = [1, 0, 0, 0, 3, 65] + [UInt8](repeating: 0, count: 65 * 80)
    #expect(try !opens(huge))
  }

  @Test func `no change of octets makes a record do anything but open or be refused`() throws {
    let whole = octets(try record(0..<3).content)
    var state: UInt64 = 42
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for _ in 0..<4_000 {
      var bytes = whole
      for _ in 0...random(4) {
        switch random(3) {
        case 0: bytes[random(bytes.count)] = UInt8(random(256))
        case 1 where bytes.count > 8: bytes.removeLast(random(8))
        default: bytes.append(UInt8(random(256)))
        }
      }
      _ = try opens(bytes)
      _ = try? GroupResolvingKeys(opening: secret(bytes))
      _ = try? MailboxRecord(opening: secret(bytes))
      _ = try? NamespaceSettings(opening: secret(bytes))
    }
  }

  @Test func `resolving keys come back by group, and in one form only`() throws {
    let groups = [5, 3, 4].map { [UInt8](repeating: $0, count: 16) }
    let keys = try [0, 1].map { index in
      GroupResolvingKey(group: index, key: try secret([UInt8](repeating: UInt8(index), count: 16)))
    }
    let made = try GroupResolvingKeys(keys, of: groups)
    let whole = octets(try made.encode())
    let opened = try GroupResolvingKeys(opening: secret(whole))
    #expect(octets(try opened.encode()) == whole)
    for (index, group) in groups.enumerated() {
      let found = opened[group].map { entry in octets(entry.key) }
      #expect(found == (index < 2 ? [UInt8](repeating: UInt8(index), count: 16) : nil))
    }
    let swapped = Array(whole[0..<2]) + whole[34...] + whole[2..<34]
    let twice = Array(whole[0..<34]) + whole[2..<34]
    let others: [[UInt8]] = [
      [], [1, 0], Array(whole.dropLast()), whole + [0], swapped, twice, [2] + whole.dropFirst(),
      [1, 1] + whole.dropFirst(2),
    ]
    for bytes in others {
      #expect(throws: VaultError.self) { _ = try GroupResolvingKeys(opening: secret(bytes)) }
    }
    #expect(try GroupResolvingKeys([], of: groups).isEmpty)
  }

  @Test func `settings and mailboxes have one form each`() throws {
    for bytes: [UInt8] in [[], [1], [1, 2], [1, 0x81], [2, 0], [1, 0, 0]] {
      #expect(throws: VaultError.self) { _ = try NamespaceSettings(opening: secret(bytes)) }
    }
    for isAllowed in [false, true] {
      var settings = NamespaceSettings()
      settings.allowsUserConfirmation = isAllowed
      #expect(try NamespaceSettings(opening: settings.encode()) == settings)
    }
    for bytes: [UInt8] in [[], [1], [2, 0]] {
      #expect(throws: VaultError.self) { _ = try MailboxRecord(opening: secret(bytes)) }
    }
    var mailbox = MailboxRecord(zeros: 4)
    try mailbox.write([1, 2], at: 2)
    try mailbox.write([], at: 4)
    #expect(try MailboxRecord(opening: mailbox.encode()).octets == [0, 0, 1, 2])
    for (offset, count) in [(-1, 1), (3, 2), (5, 0), (Int.max, 1)] {
      #expect(throws: VaultError.self) {
        try mailbox.write([UInt8](repeating: 0, count: count), at: offset)
      }
    }
  }
}
