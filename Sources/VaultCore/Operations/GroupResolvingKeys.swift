package import SecureMemory

/// A group resolving key on its way into the vault (section 12): which of a pass's reader groups it
/// is for, and the key.
package final class GroupResolvingKey: Sendable {
  /// The place of the group in the pass, from 0.
  package let group: Int
  /// The key, to be 16 octets.
  let key: SecretBytes

  /// Takes a key over, unchecked.
  package init(group: Int, key: consuming SecretBytes) {
    self.group = group
    self.key = key
  }
}

/// The group resolving keys of a namespace's pass, by group identifier.
///
/// As a record: `1 ‖ count 1 ‖ count × (group identifier 16 ‖ key 16)`, ascending by identifier.
final class GroupResolvingKeys: Sendable {
  /// The record's identifier among those of kind `readerContext`.
  static let identifier = "group-resolving-keys"

  private static let headLength = 2
  private static let entryLength = 32

  /// One key.
  final class Entry: Sendable {
    let group: [UInt8]
    let key: SecretBytes

    fileprivate init(_ group: [UInt8], _ key: consuming SecretBytes) {
      self.group = group
      self.key = key
    }
  }

  /// The keys, ascending by group identifier.
  private let entries: [Entry]

  /// Takes the keys that came with a pass.
  ///
  /// - Parameters:
  ///   - keys: the keys.
  ///   - groups: the identifiers of the pass's groups, all different.
  /// - Throws: ``VaultError`` `invalid_params` naming the field, `busy`.
  init(_ keys: [GroupResolvingKey], of groups: [[UInt8]]) throws(VaultError) {
    var entries: [Entry] = []
    for key in keys {
      let field = "pass.reader_groups[\(key.group)].group_resolving_key"
      guard groups.indices.contains(key.group),
        !entries.contains(where: { $0.group == groups[key.group] })
      else {
        throw VaultError(.invalidParameters, "a key for no group, or two for one", field: field)
      }
      guard key.key.count == 16 else {
        throw VaultError(.invalidParameters, "a group resolving key is 16 octets", field: field)
      }
      do { entries.append(Entry(groups[key.group], try key.key.duplicate())) } catch {
        throw VaultError(.memory(error))
      }
    }
    self.entries = entries.sorted { $0.group.lexicographicallyPrecedes($1.group) }
  }

  /// Whether there is none, so that no record is kept.
  var isEmpty: Bool { entries.isEmpty }

  /// The groups that have a key, ascending.
  var groups: [[UInt8]] { entries.map(\.group) }

  /// The key of a group, `nil` when none is known.
  subscript(group: [UInt8]) -> Entry? { entries.first { $0.group == group } }

  /// The record as it is sealed.
  func encode() throws(VaultError) -> SecretBytes {
    do {
      var record = try SecretBytes(zeroed: Self.headLength + entries.count * Self.entryLength)
      record.withMutableBytes { record in
        record[0] = 1
        record[1] = UInt8(truncatingIfNeeded: entries.count)
        for (index, entry) in entries.enumerated() {
          let start = Self.headLength + index * Self.entryLength
          let group = entry.group
          record.write(group.span, at: start)
          entry.key.withBytes { key in record.write(key, at: start + 16) }
        }
      }
      return record
    } catch { throw VaultError(.memory(error)) }
  }

  /// Opens a record that the vault has unsealed.
  ///
  /// - Throws: ``VaultError`` `damaged` when it is not what ``encode()`` makes, `busy`.
  init(opening record: borrowing SecretBytes) throws(VaultError) {
    let damaged = VaultError(.damaged, "a record of group resolving keys does not hold such keys")
    entries = try record.withBytes { bytes throws(VaultError) in
      guard bytes.count > Self.headLength, bytes[0] == 1, bytes[1] > 0,
        bytes.count == Self.headLength + Int(bytes[1]) * Self.entryLength
      else { throw damaged }
      var entries: [Entry] = []
      for start in stride(from: Self.headLength, to: bytes.count, by: Self.entryLength) {
        let group = (start..<start + 16).map { bytes[$0] }
        guard entries.last?.group.lexicographicallyPrecedes(group) ?? true else { throw damaged }
        do throws(SecureMemoryError) {
          let key = try SecretBytes(copying: bytes.extracting(start + 16..<start + 32))
          entries.append(Entry(group, key))
        } catch { throw VaultError(.memory(error)) }
      }
      return entries
    }
  }
}
