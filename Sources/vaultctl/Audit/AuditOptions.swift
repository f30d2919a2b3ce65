import CommandLineOptions
import VaultAPI
import WireCoding

extension Options {
  // The audit log.

  static let lineCount = Option<Int>.number(
    "lines", short: "n", help: "shows the last N lines, 10 unless given", in: 1...100_000)
  static let follow = Option<Bool>.flag("follow", help: "goes on showing lines as they come")
  static let afterLine = Option<Int>.number(
    "after", value: "SEQ", help: "shows the lines behind this one instead of the last ones",
    in: 0...1 << 53)
  static let method = Option<String>(
    "method", value: "METHOD", help: "only calls of this method; key.* takes all of a group",
    kind: "the name of a method, or the beginning of one and a star"
  ) { word in
    let isPrintable = word.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    return isPrintable && (1...64).contains(word.utf8.count) ? word : nil
  }
  static let inNamespace = Option<NamespaceName>(
    "namespace", value: "NAMESPACE", help: "only calls for this namespace and those below it",
    kind: "a namespace name"
  ) { try? NamespaceName($0) }
  static let uid = Option<Int>.number(
    "uid", help: "only calls of this user", in: 0...Int(UInt32.max))
  static let code = Option<RPCErrorCode>(
    "code", value: "CODE", help: "only calls refused with this code, such as forbidden",
    kind: "the code of an error"
  ) { word in RPCErrorCode.allCases.first { $0.name == word } }
  static let since = Option<Timestamp>(
    "since", value: "TIME", help: "only lines from this time on, as 2026-01-15T08:30:00Z",
    kind: "a time such as 2026-01-15T08:30:00Z"
  ) { try? Timestamp($0) }
  static let until = Option<Timestamp>(
    "until", value: "TIME", help: "only lines before this time",
    kind: "a time such as 2026-01-15T08:30:00Z"
  ) { try? Timestamp($0) }

  static let key = Option<String>.text(
    "key", value: "HEX|FILE",
    help: "the public key that checkpoints are signed with, or a file that holds its digits")
  static let exportTarget = Option<String>.text(
    "out", value: "PATH",
    help: "the file to make, or with a slash at its end the directory", .required)
  static let archiveTarget = Option<String>.text(
    "to", value: "DIR", help: "the directory that the segments go to; it is made if need be",
    .required)
  static let through = Option<Int>.number(
    "through", value: "SEQ", help: "only segments that end with this line or before",
    in: 1...1 << 53)
  static let checkpointTarget = Option<String>.text(
    "out", value: "FILE", help: "writes the checkpoint there, a new file")
}
