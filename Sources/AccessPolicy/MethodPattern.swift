/// Which methods a rule is for.
package enum MethodPattern: Hashable, Sendable, CustomStringConvertible {
  /// All methods but those that are only had by name: `*`.
  case all
  /// The methods of a preset.
  case preset(PolicyPreset)
  /// The methods whose names start with a word and a dot, such as `slot` for `slot.*`, but for those
  /// that are only had by name.
  case group(String)
  /// One method.
  case method(String)

  /// Whether a method is among them.
  package func matches(_ method: String) -> Bool {
    switch self {
    case .all: !Self.isOnlyByName(method)
    case .preset(let preset): preset.patterns.contains { $0.matches(method) }
    case .group(let group):
      method.utf8.count > group.utf8.count + 1 && method.utf8.starts(with: group.utf8)
        && method.utf8.dropFirst(group.utf8.count).first == UInt8(ascii: ".")
        && (group == Self.exceptions || !Self.isOnlyByName(method))
    case .method(let name): name == method
    }
  }

  /// The group of methods that hand secrets out, as no other does: nobody is to have them by a pattern
  /// that was written for something else.
  private static let exceptions = "flinkey.renew"

  /// Whether a method is only had by its own name, by `flinkey.renew.*`, or by the preset `renewer`.
  private static func isOnlyByName(_ method: String) -> Bool {
    method.utf8.starts(with: exceptions.utf8)
      && method.utf8.dropFirst(exceptions.utf8.count).first == UInt8(ascii: ".")
  }

  /// As it is written in a policy.
  package var description: String {
    switch self {
    case .all: "*"
    case .preset(let preset): preset.rawValue
    case .group(let group): "\(group).*"
    case .method(let name): name
    }
  }
}
