import Glibc
package import SecureMemory
package import VaultStore
import WireCoding

/// The file that holds the secret of a key-file slot.
package enum KeyFile {
  private static let prefix = Array("LATCHKEY-KEY-1 ".utf8)
  private static let lineCount = 80

  /// Reads the secret out of the octets of a key file.
  ///
  /// - Parameter bytes: the whole file.
  /// - Returns: 32 octets.
  /// - Throws: ``KeyFileProblem/malformed``.
  package static func parse(_ bytes: Span<UInt8>) throws(LedgerError) -> SecretBytes {
    guard bytes.count == lineCount, bytes[lineCount - 1] == UInt8(ascii: "\n") else {
      throw .keyFile(.malformed)
    }
    for index in prefix.indices where bytes[index] != prefix[index] { throw .keyFile(.malformed) }
    var secret = try allocate(32)
    let isHex = secret.withMutableBytes { secret in
      var isHex = true
      for index in 0..<32 {
        let high = Hex.value(bytes[prefix.count + 2 * index], acceptingUpperCase: false)
        let low = Hex.value(bytes[prefix.count + 2 * index + 1], acceptingUpperCase: false)
        isHex = isHex && high != nil && low != nil
        secret[index] = (high ?? 0) << 4 | (low ?? 0)
      }
      return isHex
    }
    guard isHex else { throw .keyFile(.malformed) }
    return secret
  }

  /// Reads a key file that only its owner can reach.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - isGuarded: whether something else sees to it who can read the file, as systemd does for
  ///     credentials with an access list that shows as group permissions.
  /// - Returns: 32 octets.
  /// - Throws: ``LedgerError/keyFile(_:)``.
  package static func read(
    _ path: String, isGuarded: Bool = false
  ) throws(LedgerError) -> SecretBytes {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { throw .keyFile(.unreadable(errno: errno)) }
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else { throw .keyFile(.unreadable(errno: errno)) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .keyFile(.notRegular) }
    guard isGuarded || status.st_mode & 0o077 == 0 else {
      throw .keyFile(.exposed(mode: status.st_mode & 0o7777))
    }
    guard status.st_size == lineCount else { throw .keyFile(.malformed) }
    var line = try allocate(lineCount)
    let count = line.withMutableBytes { line in
      unsafe line.withUnsafeMutableBytes { buffer in
        unsafe Glibc.read(file, buffer.baseAddress, buffer.count)
      }
    }
    guard count >= 0 else { throw .keyFile(.unreadable(errno: errno)) }
    guard count == lineCount else { throw .keyFile(.malformed) }
    return try line.withBytes { line throws(LedgerError) in try parse(line) }
  }

  /// Writes a key file: whole or not at all, readable for its owner only, never over another file.
  ///
  /// - Parameters:
  ///   - secret: 32 octets.
  ///   - path: the file to make.
  ///   - files: the file system.
  /// - Throws: ``KeyFileProblem/exists``, ``LedgerError/store(_:)``.
  package static func write(
    _ secret: borrowing SecretBytes, to path: String, files: any FileLayer = SystemFiles()
  ) throws(LedgerError) {
    guard secret.count == 32 else { throw .keyFile(.malformed) }
    var line = try allocate(lineCount)
    secret.withBytes { secret in
      line.withMutableBytes { line in
        for index in prefix.indices { line[index] = prefix[index] }
        for index in 0..<32 {
          line[prefix.count + 2 * index] = Hex.digit(secret[index] >> 4)
          line[prefix.count + 2 * index + 1] = Hex.digit(secret[index] & 15)
        }
        line[lineCount - 1] = UInt8(ascii: "\n")
      }
    }
    // A link, unlike a rename, fails when the name is taken.
    let draft = "\(path).\(Hex.encode(SecureRandom.bytes(8).span)).tmp"
    try line.withBytes { line throws(LedgerError) in
      try stored { () throws(StoreError) in try files.writeNewFile(draft, mode: 0o600, line) }
    }
    do throws(StoreError) {
      defer { try? files.remove(draft) }
      try files.link(draft, to: path)
    } catch {
      if case .file(.link, EEXIST) = error { throw .keyFile(.exists) }
      throw .store(error)
    }
    try stored { () throws(StoreError) in try files.synchronise(DataDirectory.parent(of: path)) }
  }

  private static func allocate(_ count: Int) throws(LedgerError) -> SecretBytes {
    do { return try SecretBytes(zeroed: count) } catch { throw .memory(error) }
  }
}
