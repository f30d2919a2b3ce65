import Foundation

/// A directory that goes with the value.
final class TemporaryDirectory {
  let path: String

  init() throws {
    path = "/tmp/latchkey-store-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// The octets of every file, by name.
  func contents() throws -> [String: Data] {
    var result: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      result[name] = try Data(contentsOf: URL(fileURLWithPath: path + "/" + name))
    }
    return result
  }
}

/// Runs a program and gives its standard output; what it does is outside our own code.
func run(_ program: String, _ arguments: [String], input: String? = nil) throws -> String {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = [program] + arguments
  let output = Pipe()
  process.standardOutput = output
  let source = Pipe()
  process.standardInput = source
  try process.run()
  if let input { source.fileHandleForWriting.write(Data(input.utf8)) }
  try source.fileHandleForWriting.close()
  let data = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  guard process.terminationStatus == 0 else {
    throw ProgramFailure(program: program, status: process.terminationStatus)
  }
  return String(decoding: data, as: UTF8.self)
}

struct ProgramFailure: Error {
  let program: String
  let status: Int32
}
