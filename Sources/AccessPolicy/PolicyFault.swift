/// What is wrong with the text of a policy.
package struct PolicyFault: Error, Hashable, Sendable {
  /// The line, from 1.
  package let line: Int
  /// The word at fault, shortened and made printable; empty when one is missing.
  package let word: String
  /// What is wrong, in plain words.
  package let reason: String

  /// Makes a fault.
  package init(line: Int, word: String, reason: String) {
    self.line = line
    self.word = Self.shown(word)
    self.reason = reason
  }

  /// `line 3: "foo": no such method`.
  package var description: String {
    "line \(line): " + (word.isEmpty ? "" : "\"\(word)\": ") + reason
  }

  /// A word as it may stand in a message: at most 64 characters, each plain ASCII.
  private static func shown(_ word: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in word.unicodeScalars.prefix(64) {
      scalars.append((0x20...0x7E).contains(scalar.value) ? scalar : "?")
    }
    return String(scalars) + (word.unicodeScalars.count > 64 ? "..." : "")
  }
}
