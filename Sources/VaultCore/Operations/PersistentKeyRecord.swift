import SecureMemory
import WireCoding

/// The Aliro persistent keys of one namespace, at most one for each reader: the content of a record.
///
/// `1 ‖ version of the presentation key 4 ‖ count 1 ‖ count × (reader 32 ‖ stored 8 ‖ valid until 8 ‖
/// key 32)`, big-endian, the oldest first; times in Unix seconds, `2^63 - 1` for no end. The keys never
/// leave locked memory.
struct PersistentKeyRecord: ~Copyable {
  /// The record's identifier among those of kind `readerContext`.
  static let identifier = "persistent-keys"
  /// The most readers: more than a building has doors for one person, and a bound on what a namespace
  /// takes up.
  static let bound = 64

  private static let headLength = 6
  private static let entryLength = 80
  private static let keyOffset = 48

  /// The record as it is sealed.
  let content: SecretBytes
  /// The version of the presentation key that the keys were derived with.
  let keyVersion: Int64
  /// How many keys there are.
  let count: Int

  /// Starts without keys.
  ///
  /// - Throws: ``VaultError`` `busy` without locked memory.
  init(forKey version: Int64) throws(VaultError) {
    content = try Self.memory(Self.headLength)
    keyVersion = version
    count = 0
  }

  /// Opens a record that the vault has unsealed.
  ///
  /// - Throws: ``VaultError`` `damaged` when it is not what ``adding(_:for:until:keyVersion:at:)``
  ///   makes.
  init(opening record: consuming SecretBytes) throws(VaultError) {
    let head = record.withBytes { bytes -> (version: Int64, count: Int)? in
      guard bytes.count >= Self.headLength, bytes[0] == 1 else { return nil }
      let count = Int(bytes[5])
      guard (1...Self.bound).contains(count),
        bytes.count == Self.headLength + count * Self.entryLength
      else { return nil }
      var readers: Set<[UInt8]> = []
      for index in 0..<count {
        let entry = bytes.extracting(Self.range(index))
        let end = entry.integer(at: 40)
        guard readers.insert((0..<32).map { entry[$0] }).inserted,
          end == .max || Timestamp(seconds: end) != nil
        else { return nil }
      }
      return ((1..<5).reduce(0) { $0 << 8 | Int64(bytes[$1]) }, count)
    }
    guard let head else {
      throw VaultError(.damaged, "a record of persistent keys does not hold such keys")
    }
    content = record
    (keyVersion, count) = head
  }

  /// The key of a reader.
  ///
  /// Every entry is looked at and every key read, so that the work tells nothing about whether the
  /// reader is known.
  ///
  /// - Parameters:
  ///   - reader: the reader's whole identifier, 32 octets.
  ///   - version: the version of the presentation key in use; keys of another one are of no use.
  ///   - time: the vault's time.
  /// - Returns: the key, 32 octets; `nil` when there is none that may be used then.
  /// - Throws: ``VaultError`` `busy` without locked memory.
  borrowing func key(
    of reader: [UInt8], keyVersion version: Int64, at time: Timestamp
  ) throws(VaultError) -> SecretBytes? {
    var key = try Self.memory(32)
    var isFound = false
    for index in 0..<count {
      content.withBytes { bytes in
        let entry = bytes.extracting(Self.range(index))
        let isUsable =
          entry.equals(reader) && entry.integer(at: 40) >= time.seconds && version == keyVersion
        let mask: UInt8 = isUsable ? 0xFF : 0
        key.withMutableBytes { key in
          for octet in 0..<32 { key[octet] |= entry[Self.keyOffset + octet] & mask }
        }
        isFound = isFound || isUsable
      }
    }
    guard isFound else { return nil }
    return key
  }

  /// The record with one more key, in the place of the reader's former one; when there are too many,
  /// the oldest goes.
  ///
  /// - Parameters:
  ///   - key: 32 octets.
  ///   - reader: the reader's whole identifier, 32 octets.
  ///   - end: the last second of the key's use, `nil` for no end.
  ///   - version: the version of the presentation key that it was derived with; keys of another one
  ///     go.
  ///   - time: now, Unix seconds.
  /// - Returns: the record.
  /// - Throws: ``VaultError`` `internal` for a key or identifier of another length, `busy`.
  borrowing func adding(
    _ key: borrowing SecretBytes, for reader: [UInt8], until end: Timestamp?,
    keyVersion version: Int64, at time: Int64
  ) throws(VaultError) -> PersistentKeyRecord {
    guard key.count == 32, reader.count == 32, UInt32(exactly: version) != nil else {
      throw VaultError(.internal, "a persistent key does not fit its record")
    }
    let others = content.withBytes { bytes in
      (0..<count).filter {
        version == keyVersion && !bytes.extracting(Self.range($0)).equals(reader)
      }.suffix(Self.bound - 1)
    }
    var record = try Self.memory(Self.headLength + (others.count + 1) * Self.entryLength)
    record.withMutableBytes { record in
      record[0] = 1
      for place in 1..<5 { record[place] = UInt8(truncatingIfNeeded: version >> (8 * (4 - place))) }
      record[5] = UInt8(others.count + 1)
      content.withBytes { bytes in
        for (place, index) in others.enumerated() {
          record.write(bytes.extracting(Self.range(index)), at: Self.range(place).lowerBound)
        }
      }
      let start = Self.range(others.count).lowerBound
      record.write(reader.span, at: start)
      record.write(integer: time, at: start + 32)
      record.write(integer: end?.seconds ?? .max, at: start + 40)
      key.withBytes { key in record.write(key, at: start + Self.keyOffset) }
    }
    return try PersistentKeyRecord(opening: record)
  }

  private static func range(_ index: Int) -> Range<Int> {
    let start = headLength + index * entryLength
    return start..<start + entryLength
  }

  private static func memory(_ count: Int) throws(VaultError) -> SecretBytes {
    do { return try SecretBytes(zeroed: count) } catch { throw VaultError(.memory(error)) }
  }
}

extension Span<UInt8> {
  /// The big-endian integer of the eight octets at an offset.
  fileprivate func integer(at offset: Int) -> Int64 {
    (offset..<offset + 8).reduce(0) { $0 << 8 | Int64(self[$1]) }
  }

  /// Whether it starts with these octets, compared to the last of them.
  fileprivate func equals(_ octets: [UInt8]) -> Bool {
    guard octets.count <= count else { return false }
    var difference: UInt8 = 0
    for index in octets.indices { difference |= octets[index] ^ self[index] }
    return difference == 0
  }
}

extension MutableSpan<UInt8> {
  /// Writes octets at an offset.
  mutating func write(_ octets: Span<UInt8>, at offset: Int) {
    for index in octets.indices { self[offset + index] = octets[index] }
  }

  /// Writes a big-endian integer of eight octets at an offset.
  fileprivate mutating func write(integer: Int64, at offset: Int) {
    for place in 0..<8 {
      self[offset + place] = UInt8(truncatingIfNeeded: integer >> (56 - 8 * place))
    }
  }
}
