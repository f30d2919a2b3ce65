import Foundation
import SecureMemory

@testable import VaultCrypto

// `#expect` takes calls apart and cannot pass views or move-only values on: these take arrays.

/// Files with answers that this package did not compute.
enum Vectors {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Vectors")

  static func load<Document: Decodable>(_ path: String) throws -> Document {
    let data = try Data(contentsOf: folder.appending(path: path))
    return try JSONDecoder().decode(Document.self, from: data)
  }
}

/// Octets that are written as hex in a file.
struct Hex: Decodable, Sendable, ExpressibleByStringLiteral {
  let octets: [UInt8]

  init(_ text: some StringProtocol) {
    let digits = text.utf8.compactMap { UInt8(String(UnicodeScalar($0)), radix: 16) }
    octets = stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  init(stringLiteral text: String) { self.init(text) }

  init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }
}

extension [UInt8] {
  var hex: String { map { String(format: "%02x", $0) }.joined() }
}

/// Makes a secret of octets that a test knows.
func secret(_ octets: [UInt8]) throws -> SecretBytes { try SecretBytes(copying: octets.span) }

/// Takes the octets of a secret out.
func octets(_ secret: consuming SecretBytes) -> [UInt8] {
  secret.withBytes { bytes in bytes.indices.map { bytes[$0] } }
}

/// Whether a sanitizer watches: it takes over the allocator, and makes locking memory do nothing.
let isSanitized = unsafe dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

/// The octets of a point of the curve: the generator.
let generator = P256Curve.generator

extension P256PublicKey {
  static func decode(_ octets: [UInt8]) throws -> P256PublicKey {
    try P256PublicKey(uncompressed: octets.span)
  }

  func accepts(_ signature: P256Signature, _ message: [UInt8]) -> Bool {
    isValidSignature(signature, message: message.span)
  }
}

extension P256Signature {
  static func decode(der: [UInt8]) throws -> P256Signature { try P256Signature(der: der.span) }
  static func decode(raw: [UInt8]) throws -> P256Signature { try P256Signature(raw: raw.span) }
}

extension P256PrivateKey {
  static func decode(_ scalar: [UInt8]) throws -> P256PrivateKey {
    try P256PrivateKey(scalar: secret(scalar))
  }

  func sign(_ message: [UInt8]) throws -> P256Signature { try signature(message: message.span) }
}

extension X509Certificate {
  static func decode(_ octets: [UInt8]) throws -> X509Certificate {
    try X509Certificate(der: octets.span)
  }
}

/// A folder that is removed at the end, to run commands in.
final class Workshop {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Runs `openssl` there; returns its exit code and what it wrote.
  @discardableResult
  func openssl(_ arguments: String...) throws -> (status: Int32, output: [UInt8]) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    process.currentDirectoryURL = folder
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, [UInt8](data))
  }

  func write(_ octets: [UInt8], to name: String) throws {
    try Data(octets).write(to: folder.appending(path: name))
  }

  func read(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appending(path: name)))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}
