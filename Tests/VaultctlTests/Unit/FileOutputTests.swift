import Foundation
import Testing

@testable import vaultctl

/// What is there already stays what it is, whenever it came there.
@Suite struct FileOutputTests {
  @Test func `a name that somebody else has taken meanwhile is left alone`() throws {
    let directory = try TemporaryDirectory()
    let taken = directory.file("taken")
    var staged = try StagedFile(taken)
    try staged.write([1])
    try Data([2]).write(to: URL(filePath: taken))
    let failure = #expect(throws: CommandFailure.self) { try staged.finish() }
    #expect(failure?.code == .cannotCreate)
    #expect(try Data(contentsOf: URL(filePath: taken)) == Data([2]))
  }

  /// Without a look before that could be too early.
  @Test func `nothing is moved over anything`() throws {
    let directory = try TemporaryDirectory()
    let (new, file) = (directory.file("new"), directory.file("file"))
    let (made, link) = (directory.file("made"), directory.file("link"))
    for path in [new, file] { try Data(path.utf8).write(to: URL(filePath: path)) }
    try FileManager.default.createDirectory(atPath: made, withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "nowhere")
    for path in [file, made, link] {
      let failure = #expect(throws: CommandFailure.self) { try FileOutput.move(new, to: path) }
      #expect(failure?.message == "\(path) exists already")
    }
    #expect(try Data(contentsOf: URL(filePath: file)) == Data(file.utf8))
    try FileOutput.move(new, to: directory.file("free"))
    #expect(try directory.contents() == ["file", "free", "link", "made"])
  }

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
