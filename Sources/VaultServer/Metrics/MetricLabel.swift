import VaultAPI
import VaultCore

/// A label of a metric with the closed list of what it can say.
///
/// The lists are fixed when the program is built and labels are made in this file alone; a metric
/// has a number for each word of a list, never a text. So nothing that a caller sends or the vault
/// keeps, no namespace and no secret, can come to stand in a label.
package struct MetricLabel: Sendable {
  /// Its name.
  package let name: String
  /// What it can say, in the order in which readings have their numbers.
  package let words: [String]
  /// What it tells, in a few words for the manual.
  package let meaning: String

  private init(_ name: StaticString, _ words: [String], _ meaning: StaticString) {
    self.name = name.description
    self.words = words
    self.meaning = meaning.description
  }

  private init<Word: CaseIterable & RawRepresentable<String>>(
    _ name: StaticString, _ list: Word.Type, _ meaning: StaticString
  ) {
    self.init(name, list.allCases.map(\.rawValue), meaning)
  }

  /// The method of a call, and one more word for lines whose method could not be told.
  static let method = MetricLabel(
    "method", RequestMeter.methods.map(\.name) + ["unknown"],
    "The method of the call; unknown when the line did not name one")
  /// How a call ended.
  static let outcome = MetricLabel(
    "outcome", RequestOutcome.self, "How the call ended")
  /// The class of an error.
  static let code = MetricLabel(
    "code", RequestMeter.codes.map(\.name), "The error, by its word in the answer")
  /// What a call waits for.
  static let kind = MetricLabel(
    "kind", RequestKind.self, "Whether the answer waits for a commit, or for slow work besides")
  /// Why a connection was refused or ended.
  static let reason = MetricLabel(
    "reason", ConnectionEnding.self, "Why the connection was not served, or not any more")
  /// Whether something was found.
  static let found = MetricLabel("found", CacheOutcome.self, "Whether the cache had it")
  /// What a file system holds.
  static let fileSystem = MetricLabel(
    "holds", FileSystemRole.self, "What the file system holds; both may be the same one")
  /// The version of the daemon, which the build decides.
  static let version = MetricLabel("version", [Version.current], "The version of the daemon")
}

/// What the look-ups in a cache came to.
enum CacheOutcome: String, CaseIterable {
  case yes, no
}
