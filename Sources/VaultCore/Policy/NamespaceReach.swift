import AccessPolicy
import WireCoding

/// The namespaces that a caller may see, for walks through names in their order that step over all
/// the others: what they cost, and what they tell, does not depend on those.
///
/// The order is that of the octets, as in the database. Swift's own order of strings is another one
/// for what is no name, and such a row must not lead a walk back.
struct NamespaceReach: Sendable {
  /// Whether it is every namespace.
  let isEverything: Bool
  private let scope: NamespaceScope
  /// Where names within reach may begin, ascending.
  private let starts: [String]
  /// What names begin with that are all within reach, with the last slash.
  private let below: Set<String>
  /// What names begin with of which those without a further slash are within reach.
  private let children: Set<String>

  /// Every namespace.
  static let everything = NamespaceReach([.all])
  /// No namespace.
  static let nothing = NamespaceReach([])

  /// The namespaces that any of the patterns has.
  init(_ patterns: [NamespacePattern]) {
    var starts: Set<String> = []
    var below: Set<String> = []
    var children: Set<String> = []
    for pattern in patterns {
      switch pattern {
      case .all: break
      case .exactly(let name): starts.insert(name.rawValue)
      case .children(let parent): children.insert(parent.rawValue + "/")
      case .below(let parent): below.insert(parent.rawValue + "/")
      }
    }
    scope = NamespaceScope(patterns)
    isEverything = scope.hasAll
    self.starts = starts.union(below).union(children).sorted { $0.precedes($1) }
    self.below = below
    self.children = children
  }

  /// Whether a namespace is within reach.
  func contains(_ name: NamespaceName) -> Bool { scope.contains(name) }

  /// Walks through names in their order.
  ///
  /// - Parameters:
  ///   - start: where to begin.
  ///   - end: the text that all names come before; no name begins with U+007F.
  ///   - bound: how often to read at most.
  ///   - read: given a text, reads on from it for as long as names are wanted, as the function tells
  ///     that it is given, and returns the first name that was not; `nil` when there is none, or
  ///     enough was read.
  /// - Returns: whether the bound sufficed.
  /// - Throws: what `read` throws.
  func walk<Failure: Error>(
    from start: String = "", before end: String = "\u{7f}", atMost bound: Int = .max,
    _ read: (String, (String) -> Bool) throws(Failure) -> String?
  ) throws(Failure) -> Bool {
    var place = start
    var reads = 0
    while let next = self.start(from: place), next.precedes(end) {
      guard reads < bound else { return false }
      reads += 1
      guard let unwanted = try read(next, isWanted) else { return true }
      // What is no name, and so not within reach, may stand where one could.
      place = unwanted
      if let again = self.start(from: unwanted), !unwanted.precedes(again) { place += "\u{1}" }
    }
    return true
  }

  /// Whether what stands in the order of names is within reach.
  private func isWanted(_ text: String) -> Bool {
    isEverything || (try? NamespaceName(text)).map(scope.contains) ?? false
  }

  /// The first text, from a place on, where a name within reach may begin.
  private func start(from place: String) -> String? {
    if isEverything { return place }
    var nearest = firstStart(from: place)
    let octets = place.utf8
    var slash = octets.firstIndex(of: Self.slash)
    while let here = slash {
      let head = String(place[...here])
      if below.contains(head) { return place }
      slash = octets[octets.index(after: here)...].firstIndex(of: Self.slash)
      guard children.contains(head) else { continue }
      guard let further = slash else { return place }
      // Behind everything below the child: the character after the slash.
      let behind = place[..<further] + "0"
      if nearest.map({ String(behind).precedes($0) }) ?? true { nearest = String(behind) }
    }
    return nearest
  }

  private func firstStart(from place: String) -> String? {
    var low = 0
    var high = starts.count
    while low < high {
      let middle = low + (high - low) / 2
      if starts[middle].precedes(place) { low = middle + 1 } else { high = middle }
    }
    return low < starts.count ? starts[low] : nil
  }

  private static let slash = UInt8(ascii: "/")
}

extension String {
  /// Whether its octets come before those of another text.
  fileprivate func precedes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}
