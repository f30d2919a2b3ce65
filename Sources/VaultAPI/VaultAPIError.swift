public import WireCoding

/// Why a line of the protocol could not be understood.
///
/// Offsets count octets from the start of the line. No case holds a value from the line; a name is
/// held only when it is short and printable.
public enum VaultAPIError: Error, Hashable, Sendable {
  /// The line is not the JSON of this protocol.
  case syntax(JSONFault, offset: Int)
  /// A parameter, named by its path such as `pass.reader_groups[2].reader_group_id`, is refused.
  case parameter(path: String, ParameterFault, offset: Int)
  /// No locked memory was left for a secret parameter; the call may be repeated later.
  case noSecretMemory(path: String)
  /// The line is JSON, but no answer of this protocol.
  case notAnAnswer(offset: Int)

  /// The same error, seen from the object or array that contains the place.
  ///
  /// - Parameter container: the name or index of the place within that.
  /// - Returns: the error with a longer path.
  public func inside(_ container: String) -> VaultAPIError {
    func joined(_ path: String) -> String {
      path.isEmpty || path.hasPrefix("[") ? container + path : container + "." + path
    }
    switch self {
    case .parameter(let path, let fault, let offset):
      return .parameter(path: joined(path), fault, offset: offset)
    case .noSecretMemory(let path):
      return .noSecretMemory(path: joined(path))
    case .syntax, .notAnAnswer:
      return self
    }
  }

  /// What the reader said about the value at `offset`, which a member named `path` should hold.
  init(_ error: WireCodingError, path: String, offset: Int, expected: FieldKind?) {
    switch error {
    case .json(let fault, let place) where fault.isSyntax:
      self = .syntax(fault, offset: place)
    case .json(.integerOutOfRange, let place):
      self = .parameter(path: path, .integerTooLarge, offset: place)
    case .json(.duplicateName, let place):
      self = .parameter(path: path, .repeated, offset: place)
    case .secretMemory:
      self = .noSecretMemory(path: path)
    default:
      let rule = expected?.rule ?? "an object"
      self = .parameter(path: path, .mustBe(rule), offset: offset)
    }
  }
}
