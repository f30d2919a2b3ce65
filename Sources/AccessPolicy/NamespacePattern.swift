package import WireCoding

/// Which namespaces a rule is for.
package enum NamespacePattern: Hashable, Sendable, CustomStringConvertible {
  /// All of them, and what is about the vault as a whole: `**`.
  case all
  /// The one of this name.
  case exactly(NamespaceName)
  /// Those one segment below a name, without the name itself: `NAME/*`.
  case children(NamespaceName)
  /// Those any number of segments below a name, without the name itself: `NAME/**`.
  case below(NamespaceName)

  /// Whether a namespace is among them.
  package func matches(_ name: NamespaceName) -> Bool {
    switch self {
    case .all: true
    case .exactly(let only): only == name
    case .children(let parent):
      name.suffix(below: parent).map { !$0.contains(UInt8(ascii: "/")) } ?? false
    case .below(let parent): name.suffix(below: parent) != nil
    }
  }

  /// As it is written in a policy.
  package var description: String {
    switch self {
    case .all: "**"
    case .exactly(let name): name.rawValue
    case .children(let parent): "\(parent)/*"
    case .below(let parent): "\(parent)/**"
    }
  }
}

extension NamespaceName {
  /// The octets behind another name and a slash; `nil` when this is not below that.
  fileprivate func suffix(below parent: NamespaceName) -> Substring.UTF8View? {
    let octets = rawValue.utf8
    guard octets.starts(with: parent.rawValue.utf8) else { return nil }
    let rest = octets.dropFirst(parent.rawValue.utf8.count)
    return rest.first == UInt8(ascii: "/") ? rest.dropFirst() : nil
  }
}
