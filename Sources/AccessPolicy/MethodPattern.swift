/// Which methods a rule is for.
package enum MethodPattern: Hashable, Sendable, CustomStringConvertible {
  /// All methods: `*`.
  case all
  /// The methods of a preset.
  case preset(PolicyPreset)
  /// The methods whose names start with a word and a dot, such as `slot` for `slot.*`.
  case group(String)
  /// One method.
  case method(String)

  /// Whether a method is among them.
  package func matches(_ method: String) -> Bool {
    switch self {
    case .all: true
    case .preset(let preset): preset.patterns.contains { $0.matches(method) }
    case .group(let group):
      method.utf8.count > group.utf8.count + 1 && method.utf8.starts(with: group.utf8)
        && method.utf8.dropFirst(group.utf8.count).first == UInt8(ascii: ".")
    case .method(let name): name == method
    }
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
