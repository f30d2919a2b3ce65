import NokeEngine
import SecureMemory
import VaultCrypto
import WireCoding

/// The content of a lock's record, all numbers big-endian, times in Unix seconds:
///
/// `1 ‖ environment 1 (0 sandbox, 1 production) ‖ last number given 4 ‖ number of pairs 1 ‖ pairs …
/// ‖ number of packets 2 ‖ packets …`
///
/// A pair, the active one first, then the pending one, then the former ones: `role 1 (1 active,
/// 2 pending, 3 former) ‖ number 4 ‖ stored 8 ‖ retired 8, of a former one only ‖ stale 1 ‖ successes 1 ‖
/// length 2 ‖ limits ‖ offline key 16 ‖ unlock command 20`.
///
/// A packet: `user 4 ‖ session 20 ‖ number of the pair 4 ‖ time 8 ‖ flags 1 (1 time embedded, 2 succeeded,
/// 4 has a request) ‖ role asked for 1 (0 none) ‖ digest of the request 32, if it has one`.
///
/// Equal records have equal octets, and other octets do not open. The pairs go from guarded memory into
/// guarded memory.
extension NokeRecord {
  private static let format: UInt8 = 1

  /// The record as it is sealed.
  func encode() throws(VaultError) -> SecretBytes {
    var writer = ByteWriter(reservingCapacity: 256 + uses.count * 70)
    var places: [Int] = []
    writer.uint8(Self.format)
    writer.uint8(environment == .production ? 1 : 0)
    writer.uint32(UInt32(clamping: newest))
    writer.uint8(UInt8(clamping: pairs.count))
    for (role, generation) in pairs {
      writer.head(role, generation)
      places.append(writer.count)
      writer.append([UInt8](repeating: 0, count: NokePair.storedCount))
    }
    writer.uint16(UInt16(clamping: uses.count))
    for use in uses { writer.use(use) }
    do {
      var content = try SecretBytes(copying: writer.bytes.span)
      for (place, pair) in zip(places, pairs) {
        let secret = try pair.generation.pair.pair.stored()
        secret.withBytes { secret in
          content.withMutableBytes { content in content.write(secret, at: place) }
        }
      }
      return content
    } catch let error as SecureMemoryError {
      throw VaultError(.memory(error))
    } catch {
      throw VaultError(LedgerError.crypto(.memoryExhausted))
    }
  }

  /// Opens a record that the vault has unsealed.
  ///
  /// - Throws: ``VaultError`` `damaged` when it is not what ``encode()`` makes, `busy` without locked
  ///   memory.
  init(opening record: borrowing SecretBytes) throws(VaultError) {
    do {
      self = try record.withBytes { bytes in
        var reader = ByteReader(bytes)
        let record = try reader.noke(format: Self.format)
        try reader.finish()
        return record
      }
    } catch let error as VaultError {
      throw error
    } catch let error as SecureMemoryError {
      throw VaultError(.memory(error))
    } catch {
      throw .damagedNoke
    }
  }
}

extension NokeRole {
  /// The role as an octet; zero is for none.
  fileprivate var octet: UInt8 {
    switch self {
    case .active: 1
    case .pending: 2
    case .former: 3
    }
  }
}

extension ByteWriter {
  /// Writes what there is of a pair before its secrets.
  fileprivate mutating func head(_ role: NokeRole, _ generation: NokeGeneration) {
    uint8(role.octet)
    uint32(UInt32(clamping: generation.number))
    uint64(UInt64(bitPattern: generation.stored))
    if role == .former { uint64(UInt64(bitPattern: generation.retired ?? generation.stored)) }
    uint8(generation.isStale ? 1 : 0)
    uint8(UInt8(clamping: generation.successes))
    let limits = generation.validity.encoded
    uint16(UInt16(clamping: limits.count))
    append(limits)
  }

  fileprivate mutating func use(_ use: NokeUse) {
    uint32(use.user)
    append(use.session)
    uint32(UInt32(clamping: use.generation))
    uint64(UInt64(bitPattern: use.time))
    uint8(
      (use.isEmbedded ? 1 : 0) | (use.hasSucceeded ? 2 : 0) | (use.request == nil ? 0 : 4))
    uint8(use.role?.octet ?? 0)
    if let request = use.request { append(request) }
  }
}

extension ByteReader {
  fileprivate mutating func noke(format: UInt8) throws -> NokeRecord {
    guard try uint8() == format, case let world = try uint8(), world < 2 else {
      throw VaultError.damagedNoke
    }
    let newest = Int64(try uint32())
    func isGiven(_ number: Int64) -> Bool { number >= 1 && number <= newest }
    var pairs: [(role: NokeRole, generation: NokeGeneration)] = []
    for _ in 0..<(try uint8()) { pairs.append(try pair()) }
    let roles = pairs.map(\.role)
    let numbers = pairs.map(\.generation.number)
    let hasPending = roles.dropFirst().first == .pending
    let former = pairs.dropFirst(hasPending ? 2 : 1)
    guard roles.first == .active, let active = pairs.first?.generation,
      former.allSatisfy({ $0.role == .former }), roles.count <= NokeRecord.spareBound + 1,
      Set(numbers).count == numbers.count, numbers.allSatisfy(isGiven)
    else { throw VaultError.damagedNoke }
    var uses: [NokeUse] = []
    for _ in 0..<(try uint16()) { uses.append(try use()) }
    guard uses.count <= NokeRecord.useBound, Set(uses.map(\.session)).count == uses.count,
      uses.allSatisfy({ isGiven($0.generation) })
    else { throw VaultError.damagedNoke }
    return NokeRecord(
      world == 1 ? .production : .sandbox, active: active,
      pending: hasPending ? pairs[1].generation : nil, former: former.map(\.generation),
      newest: newest, uses: uses)
  }

  private mutating func pair() throws -> (role: NokeRole, generation: NokeGeneration) {
    let role = try role()
    guard let role else { throw VaultError.damagedNoke }
    let number = Int64(try uint32())
    let stored = try time()
    let retired = role == .former ? try time() : nil
    guard case let stale = try uint8(), stale < 2 else { throw VaultError.damagedNoke }
    let successes = Int64(try uint8())
    let validity = try NokeValidity(encoded: span(Int(try uint16())))
    let secret = try SecretBytes(copying: span(NokePair.storedCount))
    let pair = SharedNokePair(try NokePair(stored: secret))
    var generation = NokeGeneration(
      number: number, pair: pair, validity: validity, stored: stored)
    generation.retired = retired
    generation.isStale = stale == 1
    generation.successes = successes
    return (role, generation)
  }

  private mutating func use() throws -> NokeUse {
    let user = try uint32()
    let session = try bytes(NokeSession.count)
    let generation = Int64(try uint32())
    let time = try time()
    guard case let flags = try uint8(), flags < 8 else { throw VaultError.damagedNoke }
    let role = try role()
    let request = flags & 4 == 0 ? nil : try bytes(32)
    return NokeUse(
      user: user, session: session, generation: generation, time: time,
      isEmbedded: flags & 1 != 0, role: role, request: request, hasSucceeded: flags & 2 != 0)
  }

  private mutating func role() throws -> NokeRole? {
    let octet = try uint8()
    guard octet > 0 else { return nil }
    guard let role = NokeRole.allCases.first(where: { $0.octet == octet }) else {
      throw VaultError.damagedNoke
    }
    return role
  }

  private mutating func time() throws -> Int64 {
    let seconds = Int64(bitPattern: try uint64())
    guard Timestamp(seconds: seconds) != nil else { throw VaultError.damagedNoke }
    return seconds
  }
}
