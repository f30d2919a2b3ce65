import Glibc

/// Looks for octets in the whole writable memory of this process, as a core dump would show it.
///
/// The octets looked for and the buffer that memory is read into are pages of their own, and are
/// left out.
@safe final class MemoryScanner {
  private static let bufferSize = 4 << 20
  private let page: UnsafeMutableRawPointer
  private let buffer: UnsafeMutableRawPointer
  private var needles: [Range<Int>] = []
  private var used = 0

  init() {
    unsafe page = Self.map(4096)
    unsafe buffer = Self.map(Self.bufferSize)
  }

  private static func map(_ count: Int) -> UnsafeMutableRawPointer {
    unsafe mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
  }

  /// Adds octets to look for, and the same in reverse order.
  func add(_ octets: Span<UInt8>) {
    for isReversed in [false, true] {
      let start = used
      for index in octets.indices {
        let octet = octets[isReversed ? octets.count - 1 - index : index]
        unsafe page.storeBytes(of: octet, toByteOffset: used, as: UInt8.self)
        used += 1
      }
      needles.append(start..<used)
    }
  }

  /// The addresses where any of them is found.
  func addresses() -> [UInt] {
    let memory = unsafe open("/proc/self/mem", O_RDONLY)
    defer { close(memory) }
    var found: [UInt] = []
    let own = unsafe [UInt(bitPattern: page), UInt(bitPattern: buffer)]
    for region in Self.writableRegions() {
      found += scan(region, memory, leavingOut: own)
    }
    return found
  }

  private func scan(_ region: Range<UInt>, _ memory: Int32, leavingOut own: [UInt]) -> [UInt] {
    var found: [UInt] = []
    var start = region.lowerBound
    while start < region.upperBound {
      let wanted = min(Self.bufferSize, Int(region.upperBound - start))
      let count = unsafe pread(memory, buffer, wanted, Int(start))
      guard count > 0 else { break }
      for needle in needles {
        found += search(needle, in: count).map { start + UInt($0) }
      }
      // Chunks overlap, so that nothing hides on a border.
      start += UInt(count == wanted && wanted == Self.bufferSize ? count - 64 : count)
    }
    let ownRanges = [own[0]..<own[0] + 4096, own[1]..<own[1] + UInt(Self.bufferSize)]
    return found.filter { address in !ownRanges.contains { $0.contains(address) } }
  }

  private func search(_ needle: Range<Int>, in count: Int) -> [Int] {
    // Memory is full of zeroes: look for an octet that is none, then compare around it.
    let lead = needle.first { unsafe page.load(fromByteOffset: $0, as: UInt8.self) != 0 }
    guard let lead else { return [] }
    let octet = Int32(unsafe page.load(fromByteOffset: lead, as: UInt8.self))
    let before = lead - needle.lowerBound
    var found: [Int] = []
    var offset = before
    while offset < count, let hit = unsafe memchr(buffer + offset, octet, count - offset) {
      let at = unsafe buffer.distance(to: hit) - before
      if at + needle.count <= count,
        unsafe memcmp(buffer + at, page + needle.lowerBound, needle.count) == 0
      {
        found.append(at)
      }
      offset = at + before + 1
    }
    return found
  }

  private static func writableRegions() -> [Range<UInt>] {
    var text = [UInt8](repeating: 0, count: 1 << 20)
    let maps = unsafe open("/proc/self/maps", O_RDONLY)
    defer { close(maps) }
    var filled = 0
    while filled < text.count {
      let free = text.count - filled
      let count = unsafe text.withUnsafeMutableBytes { buffer in
        unsafe buffer.baseAddress.map { unsafe read(maps, $0 + filled, free) } ?? 0
      }
      guard count > 0 else { break }
      filled += count
    }
    return String(decoding: text[..<filled], as: UTF8.self).split(separator: "\n").compactMap {
      let fields = $0.split(separator: " ", maxSplits: 2)
      let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      // A sanitizer's shadow is terabytes, and holds nothing of the process itself.
      guard fields[1].hasPrefix("rw"), bounds[1] - bounds[0] < 8 << 30 else { return nil }
      return bounds[0]..<bounds[1]
    }
  }

  deinit {
    unsafe memset(page, 0, 4096)
    unsafe memset(buffer, 0, Self.bufferSize)
    unsafe munmap(page, 4096)
    unsafe munmap(buffer, Self.bufferSize)
  }
}
