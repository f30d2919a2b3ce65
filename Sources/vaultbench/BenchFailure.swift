/// Why a measurement could not be made.
struct BenchFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }

  /// A system call that failed.
  static func system(_ call: String, _ code: Int32) -> BenchFailure {
    BenchFailure("\(call) failed: \(SystemText.error(code))")
  }
}
