public import WireCoding

/// A subject of the policy that names nobody on the vault's machine, and so is for nobody.
public struct UnresolvedSubject: VaultResult, Hashable {
  /// The line of its rule, from 1.
  public var line: Int64
  /// The subject, as `user:alice`.
  public var subject: String

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - line: the line of its rule, from 1.
  ///   - subject: the subject, as `user:alice`.
  public init(line: Int64, subject: String) {
    self.line = line
    self.subject = subject
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("line")
    writer.integer(line)
    writer.name("subject")
    writer.string(subject)
    writer.endObject()
  }
}
