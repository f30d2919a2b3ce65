import CSodium
import CVaultSystem
import Synchronization

/// Guarded, locked, undumpable memory that secrets are carved from.
///
/// One `sodium_malloc` a secret costs several system calls and four pages, so small secrets share
/// regions: each region is one guarded allocation cut into slots of one size. A slot is wiped when
/// it is given back; a secret too large for the largest slot gets a guarded allocation of its own.
package final class SecretArena: Sendable {
  /// The arena of the process.
  static let shared = SecretArena(capacity: capacity)

  /// The most bytes of regions that the process reserves for small secrets.
  package static let capacity = 2 << 20

  /// The slot sizes in bytes, smallest first.
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
    guard count >= 0, count <= 16 << 20 else { throw .invalidCount(count) }
    guard let sizeClass = Self.slotSizes.firstIndex(where: { count <= $0 }) else {
      let base = try unsafe Self.guarded(count)
      return unsafe Allocation(base: base, count: count, sizeClass: nil)
    }
    let address = try state.withLock { state throws(SecureMemoryError) in
      if state.free[sizeClass].isEmpty { try addRegion(&state, sizeClass) }
      return state.free[sizeClass].removeLast()
    }
    guard let base = unsafe UnsafeMutableRawPointer(bitPattern: address) else {
      throw .unavailable
    }
    return unsafe Allocation(base: base, count: count, sizeClass: sizeClass)
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
    guard state.reserved + Self.regionSize <= capacity else {
      throw .lockedMemoryExhausted(needed: Self.regionSize, limit: capacity)
    }
    let base = try unsafe Self.guarded(Self.regionSize)
    state.reserved += Self.regionSize
    let slot = Self.slotSizes[sizeClass]
    let start = UInt(bitPattern: base)
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
    guard isReady, let base = unsafe sodium_malloc(max(count, 1)) else {
      throw .lockedMemoryExhausted(needed: count, limit: lockLimit())
    }
    guard unsafe sodium_mlock(base, max(count, 1)) == 0 else {
      unsafe sodium_free(base)
      throw .lockedMemoryExhausted(needed: count, limit: lockLimit())
    }
    unsafe sodium_memzero(base, max(count, 1))
    return unsafe base
  }

  private static let isReady = sodium_init() >= 0

  /// The soft `RLIMIT_MEMLOCK` in bytes, `nil` when unlimited.
  static func lockLimit() -> Int? {
    let limit = vault_memlock_limit()
    return limit < 0 ? nil : Int(limit)
  }
}
