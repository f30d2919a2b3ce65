import Foundation

/// How a program has ended, and what it said.
struct Outcome {
  /// The exit status; the number of the signal when ``wasKilled``.
  let status: Int32
  let wasKilled: Bool
  let output: String
  let errors: String

  /// Whether it ended by itself with status 0.
  var isGood: Bool { !wasKilled && status == 0 }
}

/// A program run beside the test.
///
/// What it says as an error goes to a file, so that it never waits for a reader.
final class Program {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errorFile: URL
  private var buffer: [UInt8] = []

  /// A program by its path.
  init(_ path: String, _ arguments: [String]) {
    errorFile = URL(filePath: "/tmp/lk-it-errors-\(UUID().uuidString)")
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
  }

  /// A script of the interoperability tests.
  convenience init(interop script: String, _ arguments: [String] = []) {
    self.init(BuiltProducts.python, [BuiltProducts.interop(script)] + arguments)
  }

  /// A program run by another user, without any groups or capabilities.
  convenience init(_ path: String, _ arguments: [String], as uid: UInt32) {
    self.init(
      "/usr/bin/setpriv",
      ["--reuid=\(uid)", "--regid=\(uid)", "--clear-groups", "--", path] + arguments)
  }

  /// Sets a variable of its environment.
  func set(_ name: String, _ value: String) {
    var environment = process.environment ?? ProcessInfo.processInfo.environment
    environment[name] = value
    process.environment = environment
  }

  var processID: Int32 { process.processIdentifier }
  var isRunning: Bool { process.isRunning }

  func start() throws {
    _ = FileManager.default.createFile(atPath: errorFile.path, contents: nil)
    process.standardError = try FileHandle(forWritingTo: errorFile)
    try process.run()
  }

  func signal(_ number: Int32) {
    // A process that was waited for has no number any more, and another may have it.
    if process.isRunning { kill(process.processIdentifier, number) }
  }

  /// The next line of its output, `nil` at the end.
  func readLine() -> String? {
    while true {
      if let end = buffer.firstIndex(of: 0x0A) {
        defer { buffer.removeFirst(end + 1) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { return nil }
      buffer += data
    }
  }

  /// What it has said as errors so far.
  var errors: String {
    String(decoding: (try? Data(contentsOf: errorFile)) ?? Data(), as: UTF8.self)
  }

  /// Gives it the last of its input, and waits for its end.
  @discardableResult
  func finish(input text: String = "") -> Outcome {
    try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try? input.fileHandleForWriting.close()
    let said = Data(buffer) + output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus,
      wasKilled: process.terminationReason == .uncaughtSignal,
      output: String(decoding: said, as: UTF8.self), errors: errors)
  }

  /// Runs it from start to end.
  func run(input text: String = "") throws -> Outcome {
    try start()
    return finish(input: text)
  }

  deinit {
    if process.isRunning {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    try? FileManager.default.removeItem(at: errorFile)
  }
}
