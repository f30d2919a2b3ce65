public import WireCoding

/// What one rule of the policy says of a call.
public struct ExplainedRule: VaultResult, Hashable {
  /// What a rule may lack for allowing a call.
  public enum Lack: String, CaseIterable, Hashable, Sendable {
    /// None of its subjects is the caller.
    case subject
    /// None of its methods is the call's.
    case method
    /// None of its namespaces is the call's, or it is not for all while the call is about the vault.
    case namespace
  }

  /// The line of its `allow`, from 1.
  public var line: Int64
  /// The rule in one line.
  public var rule: String
  /// What it lacks; nothing when it allows the call.
  public var lacks: [Lack]
  /// The same in words.
  public var words: String

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - line: the line of its `allow`, from 1.
  ///   - rule: the rule in one line.
  ///   - lacks: what it lacks; nothing when it allows the call.
  ///   - words: the same in words.
  public init(line: Int64, rule: String, lacks: [Lack], words: String) {
    self.line = line
    self.rule = rule
    self.lacks = lacks
    self.words = words
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("line")
    writer.integer(line)
    writer.name("rule")
    writer.string(rule)
    writer.name("lacks")
    writer.strings(lacks.map(\.rawValue))
    writer.name("words")
    writer.string(words)
    writer.endObject()
  }
}
