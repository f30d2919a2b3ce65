import CommandLineOptions
import Foundation
import Testing

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
