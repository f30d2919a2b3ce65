import CSodium
import CVaultSystem
import Synchronization

/// Guarded, locked, undumpable memory that secrets are carved from.
///
/// One `sodium_malloc` a secret costs several system calls and four pages, so small secrets share
/// regions: each region is one guarded allocation cut into slots of one size. A slot is wiped when
/// it is given back; a secret too large for the largest slot gets a guarded allocation of its own.
/// Regions are kept until the process ends: a slot's memory is always mapped and always zero while
/// nobody holds it.
package final class SecretArena: Sendable {
  /// The arena of the process.
  static let shared = SecretArena(capacity: capacity)

  /// The most bytes of regions that the process reserves for small secrets.
  package static let capacity = 2 << 20

  /// The slot sizes in bytes, smallest first: keys, points, hash states, keyed hash states.
  ///
  /// Regions start on a page, so a slot is aligned to its size, and a state of libsodium's BLAKE2b
  /// (384 bytes, aligned to 64) fits the largest.
  static let slotSizes = [32, 64, 256, 512]

  /// The size of a region in bytes; a multiple of the page size keeps its slots aligned.
  static let regionSize = 64 << 10

  /// Where an allocation lives and what it takes to give it back.
  @safe struct Allocation {
    let base: UnsafeMutableRawPointer
    let count: Int
    /// The index in ``slotSizes``, or `nil` for an allocation of its own.
    let sizeClass: Int?
  }

  private struct State: ~Copyable {
    // Addresses rather than pointers, so that the state may cross threads.
    var free: [[UInt]] = SecretArena.slotSizes.map { _ in [] }
    var slots = SecretArena.slotSizes.map { _ in 0 }
    var reserved = 0
  }

  private let state = Mutex(State())
  private let capacity: Int

  /// Makes an empty arena.
  ///
  /// - Parameter capacity: the most bytes of regions it will reserve.
  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Hands out at least `count` zeroed bytes.
  func allocate(_ count: Int) throws(SecureMemoryError) -> Allocation {
    guard Self.isReady else { throw .unavailable }
    guard count >= 0, count <= 16 << 20 else { throw .invalidCount(count) }
    guard let wanted = Self.slotSizes.firstIndex(where: { count <= $0 }) else {
      let base = try unsafe Self.guarded(count)
      return unsafe Allocation(base: base, count: count, sizeClass: nil)
    }
    let (sizeClass, address) = try state.withLock { state throws(SecureMemoryError) in
      try takeSlot(&state, wanted)
    }
    guard let base = unsafe UnsafeMutableRawPointer(bitPattern: address) else {
      throw .unavailable
    }
    return unsafe Allocation(base: base, count: count, sizeClass: sizeClass)
  }

  /// Takes a slot of the wanted class or, when no region can be added, of a larger one.
  private func takeSlot(
    _ state: inout State, _ wanted: Int
  ) throws(SecureMemoryError) -> (sizeClass: Int, address: UInt) {
    if let address = state.free[wanted].popLast() { return (wanted, address) }
    do {
      try addRegion(&state, wanted)
    } catch {
      for larger in wanted + 1..<Self.slotSizes.count {
        if let address = state.free[larger].popLast() { return (larger, address) }
      }
      throw error
    }
    return (wanted, state.free[wanted].removeLast())
  }

  /// Wipes an allocation and takes it back.
  func release(_ allocation: Allocation) {
    guard let sizeClass = allocation.sizeClass else {
      unsafe sodium_free(allocation.base)
      return
    }
    unsafe sodium_memzero(allocation.base, Self.slotSizes[sizeClass])
    state.withLock { state in
      unsafe state.free[sizeClass].append(UInt(bitPattern: allocation.base))
    }
  }

  private func addRegion(_ state: inout State, _ sizeClass: Int) throws(SecureMemoryError) {
    guard state.reserved + Self.regionSize <= capacity else { throw .arenaFull(capacity: capacity) }
    let base = try unsafe Self.guarded(Self.regionSize)
    state.reserved += Self.regionSize
    let slot = Self.slotSizes[sizeClass]
    let start = UInt(bitPattern: base)
    // Room for every slot of the class: giving one back never has to allocate.
    state.slots[sizeClass] += Self.regionSize / slot
    state.free[sizeClass].reserveCapacity(state.slots[sizeClass])
    state.free[sizeClass].append(
      contentsOf: stride(from: 0, to: Self.regionSize, by: slot).reversed().map {
        start + UInt($0)
      })
  }

  /// One `sodium_malloc`, zeroed and surely locked.
  ///
  /// libsodium overlooks a failed `mlock` inside `sodium_malloc`; locking once more (it does not
  /// nest, nor count twice) is how the failure is seen.
  private static func guarded(_ count: Int) throws(SecureMemoryError) -> UnsafeMutableRawPointer {
    guard let base = unsafe sodium_malloc(count) else {
      throw .lockedMemoryExhausted(needed: count, limit: lockLimit())
    }
    guard unsafe sodium_mlock(base, count) == 0 else {
      unsafe sodium_free(base)
      throw .lockedMemoryExhausted(needed: count, limit: lockLimit())
    }
    unsafe sodium_memzero(base, count)
    return unsafe base
  }

  /// Whether libsodium has started.
  static let isReady = sodium_init() >= 0

  /// How many bytes of regions are reserved.
  var reservedBytes: Int { state.withLock { $0.reserved } }

  /// The soft `RLIMIT_MEMLOCK` in bytes, `nil` when unlimited.
  static func lockLimit() -> Int? {
    let limit = vault_memlock_limit()
    return limit < 0 ? nil : Int(limit)
  }
}
