import Glibc

/// What ends a line.
let newline: UInt8 = 0x0A

extension Span<UInt8> {
  /// The place of the first `octet` at or after `start`, `nil` when there is none.
  func firstIndex(of octet: UInt8, from start: Int = 0) -> Int? {
    guard start < count else { return nil }
    return unsafe withUnsafeBufferPointer { bytes in
      guard let base = bytes.baseAddress,
        let found = unsafe memchr(base + start, Int32(octet), bytes.count - start)
      else { return nil }
      return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
  }

  func contains(_ octet: UInt8) -> Bool {
    firstIndex(of: octet) != nil
  }

  /// Whether there is nothing but blanks, tabs and carriage returns.
  var isBlank: Bool {
    for index in indices {
      guard self[index] == 0x20 || self[index] == 0x0D || self[index] == 0x09 else { return false }
    }
    return true
  }
}

extension MutableSpan<UInt8> {
  /// Overwrites the first `count` octets with zeros, surely.
  mutating func wipe(_ count: Int) {
    unsafe withUnsafeMutableBytes { bytes in
      guard let base = bytes.baseAddress else { return }
      unsafe explicit_bzero(base, Swift.min(count, bytes.count))
    }
  }

  /// Copies octets to a place; what does not fit is left out.
  mutating func write(_ source: Span<UInt8>, at offset: Int) {
    guard offset >= 0, offset <= count else { return }
    unsafe withUnsafeMutableBytes { target in
      unsafe source.withUnsafeBytes { source in
        guard let to = target.baseAddress, let from = source.baseAddress else { return }
        unsafe memcpy(to + offset, from, Swift.min(source.count, target.count - offset))
      }
    }
  }
}
