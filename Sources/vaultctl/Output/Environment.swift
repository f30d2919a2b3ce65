import Glibc

/// The variables that `vaultctl` was started with.
enum Environment {
  /// The value of a variable, `nil` when it is not set.
  static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }
}
