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
    self.word = word
    self.reason = reason
  }

  /// `line 3: "foo": no such method`.
  package var description: String {
    "line \(line): " + (word.isEmpty ? "" : "\"\(word)\": ") + reason
  }
}
