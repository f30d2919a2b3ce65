import Foundation

/// Runs the built `vaultctl`.
enum Vaultctl {
  struct Outcome {
    let stdout: Data
    let stderr: String
    let exit: Int32

    var text: String { String(decoding: stdout, as: UTF8.self) }
  }

  /// The binary beside the one that runs the tests.
  static let path: String = {
    let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    return tests.deletingLastPathComponent().appendingPathComponent("vaultctl").path
  }()

  /// Runs it to its end.
  static func run(
    _ words: [String], stdin: Data = Data(), in directory: String = "/tmp",
    environment: [String: String] = [:]
  ) throws -> Outcome {
    let process = Process()
    // In a session of its own, so that a terminal the tests run on is not asked for passphrases.
    process.executableURL = URL(fileURLWithPath: "/usr/bin/setsid")
    process.arguments = ["--wait", path] + words
    process.currentDirectoryURL = URL(fileURLWithPath: directory)
    process.environment = environment.merging(["PATH": "/usr/bin:/bin"]) { given, _ in given }
    let (input, output, errors) = (Pipe(), Pipe(), Pipe())
    (process.standardInput, process.standardOutput, process.standardError) = (input, output, errors)
    try process.run()
    // What is sent and what comes back is small enough for the pipes in between.
    try? input.fileHandleForWriting.write(contentsOf: stdin)
    try? input.fileHandleForWriting.close()
    let stdout = output.fileHandleForReading.readDataToEndOfFile()
    let stderr = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let code = process.terminationStatus
    return Outcome(
      stdout: stdout, stderr: String(decoding: stderr, as: UTF8.self),
      exit: process.terminationReason == .exit ? code : 128 + code)
  }
}
