import Foundation
import Testing

/// A result that cannot be written is not lost in silence.
@Suite struct OutputFailureTests {
  private func run(_ words: String, into redirection: String) throws -> (
    exit: Int32, errors: String
  ) {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "exec \"$0\" \(words) \(redirection)", Vaultctl.path]
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let text = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: text, as: UTF8.self))
  }

  @Test(arguments: [("--version", ">&-"), ("--help", ">&- <&-"), ("--version", "> /dev/full")])
  func `where nothing can be written it fails`(_ words: String, _ redirection: String) throws {
    let outcome = try run(words, into: redirection)
    #expect(outcome.exit == 74)
    #expect(outcome.errors.hasPrefix("vaultctl: the output cannot be written: "))
  }

  @Test func `with nobody to tell of errors it works`() throws {
    #expect(try run("--version", into: "2>&-").exit == 0)
  }
}
