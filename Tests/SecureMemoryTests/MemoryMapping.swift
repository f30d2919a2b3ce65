import Foundation

/// What the kernel says of the mapping that an address is in.
struct MemoryMapping {
  let bounds: Range<UInt>
  let permissions: String
  /// The two-letter flags of `VmFlags`, such as `lo` (locked) and `dd` (left out of core dumps).
  let flags: Set<String>

  /// The mappings of this process, by rising address.
  static func all() throws -> [MemoryMapping] {
    var mappings: [MemoryMapping] = []
    var header: (Range<UInt>, String)?
    // Files of /proc have no length to read by.
    let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/smaps"))
    let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: " ")
      if fields[0] == "VmFlags:", let (bounds, permissions) = header {
        let flags = Set(fields.dropFirst().map(String.init))
        mappings.append(.init(bounds: bounds, permissions: permissions, flags: flags))
      } else if !fields[0].hasSuffix(":") {
        let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        header = (ends[0]..<ends[1], String(fields[1]))
      }
    }
    return mappings
  }

  /// The index of the mapping that holds an address.
  static func index(of address: UInt, in mappings: [MemoryMapping]) -> Int? {
    mappings.firstIndex { $0.bounds.contains(address) }
  }
}

/// Whether a sanitizer watches: it takes over the allocator, and makes locking memory do nothing.
let isSanitized = unsafe dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
