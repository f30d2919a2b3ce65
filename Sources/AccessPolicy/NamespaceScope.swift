package import WireCoding

/// The namespace patterns of one rule, sorted so that a rule with thousands of them decides fast.
package struct NamespaceScope: Hashable, Sendable {
  /// The patterns, as they were written.
  package let patterns: [NamespacePattern]
  /// Whether all namespaces are among them, and with them the vault as a whole.
  package let hasAll: Bool
  private let names: [NamespaceName]
  private let parents: [NamespaceName]
  private let ancestors: [NamespaceName]

  /// Sorts patterns.
  package init(_ patterns: [NamespacePattern]) {
    self.patterns = patterns
    hasAll = patterns.contains(.all)
    var names: [NamespaceName] = []
    var parents: [NamespaceName] = []
    var ancestors: [NamespaceName] = []
    for pattern in patterns {
      switch pattern {
      case .all: break
      case .exactly(let name): names.append(name)
      case .children(let name): parents.append(name)
      case .below(let name): ancestors.append(name)
      }
    }
    self.names = names.sorted()
    self.parents = parents.sorted()
    self.ancestors = ancestors.sorted()
  }

  /// Whether a namespace is among them.
  package func contains(_ name: NamespaceName) -> Bool {
    if hasAll { return true }
    let octets = name.rawValue.utf8
    if names.has(octets[...]) || containsBelow(name) { return true }
    guard let slash = octets.lastIndex(of: UInt8(ascii: "/")) else { return false }
    return parents.has(octets[..<slash])
  }

  /// Whether a name and every name below it is among them.
  package func containsAll(from name: NamespaceName) -> Bool {
    if hasAll || containsBelow(name) { return true }
    return contains(name) && ancestors.has(name.rawValue.utf8[...])
  }

  /// Whether a name is somewhere below a `NAME/**`.
  private func containsBelow(_ name: NamespaceName) -> Bool {
    guard !ancestors.isEmpty else { return false }
    let octets = name.rawValue.utf8
    for index in octets.indices where octets[index] == UInt8(ascii: "/") {
      if ancestors.has(octets[..<index]) { return true }
    }
    return false
  }
}

extension [NamespaceName] {
  /// Whether a name is in this sorted list.
  fileprivate func has(_ name: Substring.UTF8View) -> Bool {
    var low = 0
    var high = count
    while low < high {
      let middle = low + (high - low) / 2
      let candidate = self[middle].rawValue.utf8
      if candidate.elementsEqual(name) { return true }
      if candidate.lexicographicallyPrecedes(name) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return false
  }
}
