import CommandLineOptions
import Foundation
import SecureMemory
import Testing
import VaultAPI

@testable import vaultctl

@Suite struct PlaceTests {
  private func plan(_ words: String...) throws -> InitialisePlan {
    guard case .run(let line) = try VerbTable.root.parse(["init", "--admin", "root"] + words) else {
      throw CommandFailure(.usage, "no command")
    }
    return try InitialisePlan(line)
  }

  @Test func `keys are refused within the vault they open, by whatever path`() throws {
    let directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      atPath: directory.file("vault"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: directory.file("link"), withDestinationPath: directory.file("vault"))
    for key in ["vault/key", "link/key", "vault/../vault/key", "./vault//key"] {
      #expect(throws: CommandFailure.self, "\(key)") {
        try plan(
          "--data", directory.file("vault"), "--key-file", directory.file(key), "--no-recovery")
      }
    }
    let good = try plan(
      "--data", directory.file("vault/"), "--key-file", directory.file("key"), "--recovery-file",
      directory.file("recovery"))
    #expect(good.keyFiles == [directory.file("key"), directory.file("recovery")])
  }

  @Test(arguments: [".", "..", "/"])
  func `a place that cannot be made is refused`(_ path: String) {
    #expect(throws: CommandFailure.self) {
      try plan("--data", path, "--key-file", "/tmp/no-such-key", "--no-recovery")
    }
  }

  @Test func `a new file is never put over another one`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("file")
    try FileOutput.create(path, [1, 2, 3])
    #expect(throws: CommandFailure.self) { try FileOutput.create(path, [4]) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data([1, 2, 3]))
    try FileManager.default.createSymbolicLink(
      atPath: directory.file("dangling"), withDestinationPath: directory.file("nowhere"))
    #expect(throws: CommandFailure.self) { try FileOutput.create(directory.file("dangling"), [4]) }
    #expect(throws: CommandFailure.self) { try FileOutput.checkFree(directory.file("dangling")) }
  }

  @Test func `a pass is read whole into guarded memory, up to the limit of a request`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("pass.json")
    func base64(_ octet: UInt8, _ count: Int) -> String {
      Data(repeating: octet, count: count).base64EncodedString()
    }
    let groups = (0..<12 as Range<UInt8>).map { octet in
      #"{"reader_group_id":"\#(base64(octet, 16))","issuer_ca_public_key":"\#(base64(octet, 65))","#
        + #""issuer_ca_certificate_der":"\#(base64(octet, 12_000))","#
        + #""group_resolving_key":"\#(base64(octet, 16))"}"#
    }
    let text = #"{"access_document":"AA==","reader_groups":[\#(groups.joined(separator: ",\n"))]}"#
    func write(_ space: Int) throws {
      let octets = Array(text.utf8) + [UInt8](repeating: 0x20, count: space)
      try Data(octets).write(to: URL(fileURLWithPath: path))
    }
    try write(VaultLimits.requestOctets - text.utf8.count)
    let pass = try PassInput.read(path)
    #expect(pass.readerGroups.count == 12)
    let last = try #require(pass.readerGroups.last)
    #expect(last.issuerCaCertificateDer == [UInt8](repeating: 11, count: 12_000))
    let key = try #require(last.groupResolvingKey)
    #expect(key.bytes.isEqual(to: try SecretBytes(copying: last.readerGroupId.span)))
    try write(VaultLimits.requestOctets - text.utf8.count + 1)
    #expect(throws: CommandFailure.self) { try PassInput.read(path) }
    #expect(throws: CommandFailure.self) { try PassInput.read(directory.path) }
  }

  @Test func `a file is read whole up to its limit`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("file")
    let octets = [UInt8](repeating: 7, count: 40_000)
    try Data(octets).write(to: URL(fileURLWithPath: path))
    #expect(try FileInput.read(path, limit: 40_000) == octets)
    #expect(throws: CommandFailure.self) { try FileInput.read(path, limit: 39_999) }
    #expect(throws: CommandFailure.self) { try FileInput.read(directory.path, limit: 1) }
  }
}
