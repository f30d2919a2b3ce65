/// A word of a command line that is no option, as the help shows it.
struct OperandSpec: Equatable, Sendable {
  /// What stands for it in the help, such as `NAMESPACE`.
  let name: String
  var isOptional = false

  /// The name as the usage line shows it.
  var usage: String { isOptional ? "[\(name)]" : name }

  static let namespace = OperandSpec(name: "NAMESPACE")
}
