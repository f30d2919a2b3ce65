import Foundation
import Testing

@testable import vaultctl

/// What is there already stays what it is, whenever it came there.
@Suite struct FileOutputTests {
  @Test(arguments: [
    ("", "ab", true), ("a", "ab", true), ("ab", "ab", true), ("abc", "ab", false),
    ("b", "ab", false),
  ])
  func `prune records grow on, and those of another vault stay`(
    _ present: String, _ coming: String, _ isTaken: Bool
  ) throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("pruned.jsonl")
    try Data(present.utf8).write(to: URL(filePath: path))
    func archive() throws(CommandFailure) {
      var file = try ArchivedFile(path, growsOn: true)
      for octet in coming.utf8 { try file.write([octet]) }
      try file.finish()
    }
    if isTaken {
      try archive()
    } else {
      let failure = #expect(throws: CommandFailure.self) { try archive() }
      #expect(failure?.code == .cannotCreate)
    }
    let left = try String(contentsOfFile: path, encoding: .utf8)
    #expect(left == (isTaken ? coming : present))
    #expect(try directory.contents() == ["pruned.jsonl"])
  }
}
