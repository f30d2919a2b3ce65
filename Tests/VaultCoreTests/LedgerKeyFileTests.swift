import Foundation
import SecureMemory
import Testing
import VaultStore

@testable import VaultCore

@Suite struct LedgerKeyFileTests {
  private static let line =
    "LATCHKEY-KEY-1 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1eff\n"

  private func parse(_ text: String) throws -> [UInt8] {
    let bytes = Array(text.utf8)
    let secret = try KeyFile.parse(bytes.span)
    return secret.withBytes { bytes in bytes.indices.map { bytes[$0] } }
  }

  @Test func `reads the one form there is`() throws {
    #expect(try parse(Self.line) == Array(0..<31) + [255])
  }

  @Test(arguments: [
    "", "\n", String(line.dropLast()), line + "\n", line + line, line.uppercased(),
    line.replacingOccurrences(of: "ff\n", with: "fF\n"),
    line.replacingOccurrences(of: "ff\n", with: "fg\n"),
    line.replacingOccurrences(of: "ff\n", with: "f\n\n"),
    line.replacingOccurrences(of: "ff\n", with: "ff\r"),
    line.replacingOccurrences(of: "KEY-1 ", with: "KEY-2 "),
    line.replacingOccurrences(of: "KEY-1 ", with: "KEY-1\t"), " " + line.dropLast(2) + "\n",
  ])
  func `refuses every other form`(_ text: String) {
    #expect(throws: LedgerError.keyFile(.malformed)) { try parse(text) }
  }

  @Test func `writes a file only its owner can reach, and never over another`() throws {
    let root = try LedgerTestVault.makeRoot()
    defer { try? FileManager.default.removeItem(atPath: root) }
    let path = root + "/vault.key"
    let bytes: [UInt8] = Array(0..<31) + [255]
    let secret = try SecretBytes(copying: bytes.span)
    try KeyFile.write(secret, to: path)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.line)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try KeyFile.read(path).isEqual(to: secret))
    #expect(throws: LedgerError.keyFile(.exists)) { try KeyFile.write(secret, to: path) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: root) == ["vault.key"])
  }

  @Test func `refuses files that others can reach, or that are no files`() throws {
    let root = try LedgerTestVault.makeRoot()
    defer { try? FileManager.default.removeItem(atPath: root) }
    let path = root + "/vault.key"
    #expect(throws: LedgerError.keyFile(.unreadable(errno: ENOENT))) { _ = try KeyFile.read(path) }
    try Self.line.write(toFile: path, atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    #expect(throws: LedgerError.keyFile(.exposed(mode: 0o640))) { _ = try KeyFile.read(path) }
    try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
    _ = try KeyFile.read(path)
    #expect(throws: LedgerError.keyFile(.notRegular)) { _ = try KeyFile.read(root) }
    #expect(unsafe mkfifo(root + "/fifo", 0o600) == 0)
    #expect(throws: LedgerError.keyFile(.notRegular)) { _ = try KeyFile.read(root + "/fifo") }
  }
}
