import Glibc
import SecureMemory

/// Reads from descriptors straight into guarded memory, with no copy in between.
enum GuardedRead {
  /// Reads once.
  ///
  /// - Parameters:
  ///   - descriptor: where to read.
  ///   - buffer: receives the octets from `start` on.
  ///   - start: how many are there already.
  ///   - name: what to call the descriptor when it fails.
  /// - Returns: how many came; zero at the end, or when the buffer is full.
  /// - Throws: ``CommandFailure`` ``ExitCode/noInput``.
  static func once(
    _ descriptor: Int32, into buffer: inout SecretBytes, at start: Int, named name: String
  ) throws(CommandFailure) -> Int {
    while true {
      let (count, reason) = buffer.withMutableBytes { bytes in
        unsafe bytes.withUnsafeMutableBytes { place in
          let rest = unsafe place.dropFirst(start)
          let got = unsafe read(
            descriptor, UnsafeMutableRawBufferPointer(rebasing: rest).baseAddress, rest.count)
          return (got, errno)
        }
      }
      if count >= 0 { return count }
      guard reason == EINTR else {
        throw CommandFailure(.noInput, "\(name) cannot be read: \(systemMessage(reason))")
      }
    }
  }

  /// What is read at first; locked memory is scarce, and most files are short.
  private static let firstPart = 16 << 10

  /// Reads to the end, or until `capacity` octets are there.
  ///
  /// - Returns: what was read.
  static func all(
    _ descriptor: Int32, capacity: Int, named name: String
  ) throws(CommandFailure) -> SecretBytes {
    var buffer = try allocate(min(capacity, firstPart))
    var count = 0
    while count < capacity {
      if count == buffer.count { buffer = try larger(buffer, min(capacity, count * 2)) }
      let got = try once(descriptor, into: &buffer, at: count, named: name)
      guard got > 0 else { break }
      count += got
    }
    return try first(count, of: buffer)
  }

  /// Takes guarded memory.
  static func allocate(_ count: Int) throws(CommandFailure) -> SecretBytes {
    do throws(SecureMemoryError) { return try SecretBytes(zeroed: count) } catch {
      throw CommandFailure(error)
    }
  }

  private static func larger(
    _ buffer: borrowing SecretBytes, _ count: Int
  ) throws(CommandFailure) -> SecretBytes {
    var larger = try allocate(count)
    buffer.withBytes { from in
      larger.withMutableBytes { to in
        for index in from.indices { to[index] = from[index] }
      }
    }
    return larger
  }

  /// The first octets of a buffer, as a secret of that size.
  static func first(
    _ count: Int, of buffer: borrowing SecretBytes
  ) throws(CommandFailure) -> SecretBytes {
    try buffer.withBytes { bytes throws(CommandFailure) in
      do throws(SecureMemoryError) {
        return try SecretBytes(copying: bytes.extracting(0..<count))
      } catch {
        throw CommandFailure(error)
      }
    }
  }
}
