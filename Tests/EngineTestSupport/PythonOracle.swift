import Foundation

/// A program under `Tests/Interop` that answers, from its own knowledge of a format, what a test asks.
package struct PythonOracle {
  /// The program ended with an error.
  package struct Failure: Error {
    /// Its exit status.
    package let status: Int32
  }

  private let name: String

  /// Names the program, without its suffix.
  package init(_ name: String) {
    self.name = name
  }

  /// Asks the program.
  ///
  /// - Parameters:
  ///   - task: what it reads from its standard input, as JSON.
  ///   - answer: what it writes, as JSON.
  /// - Returns: the answer.
  /// - Throws: ``Failure``, or what encoding, decoding or starting it throws.
  package func ask<Answer: Decodable>(
    _ task: some Encodable, for answer: Answer.Type = Answer.self
  ) throws -> Answer {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    // From a file, as a pipe could fill up while both sides write.
    let questions = FileManager.default.temporaryDirectory.appending(
      path: "\(name)-\(UUID().uuidString).json")
    try JSONEncoder().encode(task).write(to: questions)
    defer { try? FileManager.default.removeItem(at: questions) }
    let process = Process()
    process.executableURL = root.appending(path: ".build/venv/bin/python")
    process.arguments = [root.appending(path: "Tests/Interop/\(name).py").path]
    process.standardInput = try FileHandle(forReadingFrom: questions)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus) }
    return try JSONDecoder().decode(answer, from: data)
  }
}
