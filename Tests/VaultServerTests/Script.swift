import Foundation

/// A program run beside the test: a Python script, or the test daemon.
final class Script {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors = Pipe()
  private var buffer: [UInt8] = []

  /// A Python script with arguments.
  init(_ text: String, _ arguments: [String] = []) throws {
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", text] + arguments
    connect()
  }

  /// A script of the interoperability tests.
  init(interop name: String, _ arguments: [String] = []) {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", tests.appending(path: "Interop/\(name)").path] + arguments
    connect()
  }

  /// A program by its path.
  init(program: String, _ arguments: [String], environment: [String: String] = [:]) {
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    connect()
  }

  private func connect() {
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
  }

  /// The daemon with the scripted service.
  static var daemonPath: String { built("server-test-daemon") }

  /// A program of this package, next to the test program.
  static func built(_ name: String) -> String {
    let test = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(filePath: test).deletingLastPathComponent().appending(path: name)
      .path
  }

  var processID: Int32 { process.processIdentifier }

  func start() throws {
    try process.run()
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

  func signal(_ number: Int32) {
    kill(process.processIdentifier, number)
  }

  /// Ends its input, and waits for its end.
  @discardableResult
  func finish() -> (status: Int32, output: String, errors: String) {
    try? input.fileHandleForWriting.close()
    let text = String(
      decoding: Data(buffer) + output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let problems = String(
      decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text, problems)
  }

  func run() throws -> (status: Int32, output: String, errors: String) {
    try start()
    return finish()
  }
}
