// Views of octets as the C libraries want them. Their pointers are never null, even for no octets:
// libsodium declares its parameters so, and OpenSSL gives null a meaning of its own.

extension Span<UInt8> {
  /// Lets `body` read the octets through a pointer that is not null.
  func withOctets<Result>(_ body: (UnsafePointer<UInt8>, Int) -> Result) -> Result {
    unsafe withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else {
        return unsafe withUnsafePointer(to: UInt8(0)) { unsafe body($0, 0) }
      }
      return unsafe body(base, buffer.count)
    }
  }
}

extension MutableSpan<UInt8> {
  /// Lets `body` write the octets through a pointer that is not null.
  mutating func withOctets<Result>(
    _ body: (UnsafeMutablePointer<UInt8>, Int) -> Result
  ) -> Result {
    unsafe withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else {
        var nothing: UInt8 = 0
        return unsafe withUnsafeMutablePointer(to: &nothing) { unsafe body($0, 0) }
      }
      return unsafe body(base, buffer.count)
    }
  }
}

extension [UInt8] {
  /// Copies public octets out of a view.
  init(copying bytes: Span<UInt8>) {
    self = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
  }

  /// Lets `body` write the octets through a pointer that is not null.
  mutating func withOctets<Result>(
    _ body: (UnsafeMutablePointer<UInt8>, Int) -> Result
  ) -> Result {
    var view = mutableSpan
    return unsafe view.withOctets(body)
  }
}
