import Foundation
import Synchronization
import Testing

@testable import SecureMemory

@Suite struct SecretArenaTests {
  /// Fills an allocation with an octet.
  private static func fill(_ allocation: SecretArena.Allocation, _ octet: UInt8) {
    for index in 0..<allocation.count {
      unsafe allocation.base.storeBytes(of: octet, toByteOffset: index, as: UInt8.self)
    }
  }

  /// Whether every octet of an allocation is this one.
  private static func holds(_ allocation: SecretArena.Allocation, _ octet: UInt8) -> Bool {
    (0..<allocation.count).allSatisfy {
      unsafe allocation.base.load(fromByteOffset: $0, as: UInt8.self) == octet
    }
  }

  @Test(arguments: [0, 1, 32, 33, 64, 200, 256, 300, 512])
  func `a slot is wiped when it is given back`(count: Int) throws {
    let arena = SecretArena(capacity: 64 << 10)
    let allocation = try arena.allocate(count)
    #expect(Self.holds(allocation, 0))
    Self.fill(allocation, 0xA5)
    arena.release(allocation)
    #expect(Self.holds(allocation, 0))
    let next = try arena.allocate(count)
    #expect(unsafe next.base == allocation.base)
    #expect(Self.holds(next, 0))
  }

  @Test func `the whole slot is wiped, not only the octets asked for`() throws {
    let arena = SecretArena(capacity: 64 << 10)
    let allocation = try arena.allocate(33)
    let slot = unsafe SecretArena.Allocation(base: allocation.base, count: 64, sizeClass: 1)
    Self.fill(slot, 0xA5)
    arena.release(allocation)
    #expect(Self.holds(slot, 0))
  }

  @Test(.disabled(if: isSanitized), arguments: [32, 64, 256, 512, 513, 70_000])
  func `memory is locked, left out of core dumps and between guards`(count: Int) throws {
    let arena = SecretArena(capacity: 64 << 10)
    let allocation = try arena.allocate(count)
    defer { arena.release(allocation) }
    let mappings = try MemoryMapping.all()
    let address = unsafe UInt(bitPattern: allocation.base)
    let index = try #require(MemoryMapping.index(of: address, in: mappings))
    #expect(mappings[index].flags.isSuperset(of: ["lo", "dd"]))
    #expect(mappings[index].permissions == "rw-p")
    #expect(mappings[index - 1].permissions == "---p")
    #expect(mappings[index - 1].bounds.upperBound == mappings[index].bounds.lowerBound)
    #expect(mappings[index + 1].permissions == "---p")
    #expect(mappings[index + 1].bounds.lowerBound == mappings[index].bounds.upperBound)
  }

  @Test(.disabled(if: isSanitized)) func `reading past a large secret ends the process`() async {
    await #expect(processExitsWith: .signal(SIGSEGV)) {
      let allocation = try SecretArena(capacity: 0).allocate(1000)
      _ = unsafe allocation.base.load(fromByteOffset: 1000, as: UInt8.self)
    }
  }

  @Test(.disabled(if: isSanitized)) func `a large secret's memory is gone after it`() throws {
    let arena = SecretArena(capacity: 0)
    let allocation = try arena.allocate(100_000)
    let address = unsafe UInt(bitPattern: allocation.base)
    let before = try MemoryMapping.all()
    let index = try #require(MemoryMapping.index(of: address, in: before))
    #expect(before[index].flags.contains("lo"))
    arena.release(allocation)
    let after = try MemoryMapping.all()
    // Something else may be mapped there by now, but not a locked secret of this size.
    let isGone =
      MemoryMapping.index(of: address, in: after).map {
        after[$0].bounds != before[index].bounds || !after[$0].flags.contains("lo")
      } ?? true
    #expect(isGone)
  }

  @Test func `slots are aligned to their size and do not overlap`() throws {
    let arena = SecretArena(capacity: 1 << 20)
    for size in SecretArena.slotSizes {
      let addresses = try (0..<300).map { _ in
        unsafe UInt(bitPattern: try arena.allocate(size).base)
      }
      #expect(addresses.allSatisfy { $0 % UInt(size) == 0 })
      let sorted = addresses.sorted()
      #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $1 - $0 >= UInt(size) })
    }
  }

  @Test func `a full arena refuses, and serves again after a release`() throws {
    let arena = SecretArena(capacity: 64 << 10)
    var held = try (0..<128).map { _ in try arena.allocate(512) }
    #expect(throws: SecureMemoryError.arenaFull(capacity: 64 << 10)) { try arena.allocate(512) }
    #expect(throws: SecureMemoryError.arenaFull(capacity: 64 << 10)) { try arena.allocate(32) }
    #expect(arena.reservedBytes == 64 << 10)
    arena.release(held.removeLast())
    let small = try arena.allocate(32)
    #expect(small.sizeClass == 3)
    arena.release(small)
    #expect(try arena.allocate(512).sizeClass == 3)
  }

  @Test func `sizes out of bounds are refused`() {
    let arena = SecretArena(capacity: 64 << 10)
    for count in [-1, Int.min, (16 << 20) + 1, Int.max] {
      #expect(throws: SecureMemoryError.invalidCount(count)) { try arena.allocate(count) }
    }
  }

  @Test(.disabled(if: isSanitized)) func `memory that the kernel does not lock is refused`() async {
    await #expect(processExitsWith: .success) {
      // The superuser has no limit to run into; libsodium starts first, while it may read files.
      try #require(SecretArena.isReady)
      if getuid() == 0 { try #require(setuid(65_534) == 0) }
      var limit = rlimit(rlim_cur: 32 << 10, rlim_max: 32 << 10)
      let isSet = unsafe setrlimit(__rlimit_resource_t(8), &limit) == 0
      try #require(isSet)
      let expected = SecureMemoryError.lockedMemoryExhausted(needed: 64 << 10, limit: 32 << 10)
      #expect(throws: expected) { try SecretArena(capacity: 1 << 20).allocate(32) }
      #expect(throws: SecureMemoryError.self) { try SecretArena(capacity: 0).allocate(64 << 10) }
      // What fits is still served.
      _ = try SecretArena(capacity: 0).allocate(1000)
    }
  }

  @Test func `threads never share a slot`() async {
    let arena = SecretArena(capacity: 1 << 20)
    let clashes = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for round in 0..<2000 {
        guard let allocation = try? arena.allocate([32, 64, 256, 512][round % 4]) else { continue }
        let isFresh = Self.holds(allocation, 0)
        Self.fill(allocation, UInt8(thread + 1))
        if !isFresh || !Self.holds(allocation, UInt8(thread + 1)) {
          clashes.add(1, ordering: .relaxed)
        }
        arena.release(allocation)
      }
    }
    #expect(clashes.load(ordering: .relaxed) == 0)
  }
}
