import CommandLineOptions

/// What is measured, part by part.
enum Section: String, CaseIterable, Sendable {
  /// Signatures under load.
  case signing
  /// One connection with one call at a time.
  case idle
  /// Aliro presentations.
  case presentation
  /// Many namespaces.
  case scale
  /// A caller that floods the vault beside a quiet one.
  case flood
}

/// What the command line says.
struct BenchOptions {
  private static let sectionOption = Option<Section>.choice(
    "section", value: "NAME",
    help: "measures this part only: "
      + Section.allCases.map(\.rawValue).joined(separator: ", "), .repeated)
  private static let namespacesOption = Option<Int>.number(
    "namespaces", help: "how many namespaces the larger vault has, 20000 unless given",
    in: 1...10_000_000)
  private static let directoryOption = Option<String>.text(
    "directory", value: "DIR",
    help: "where durable vaults are made: on the disk to be measured; $TMPDIR or /var/tmp unless "
      + "given")
  private static let memoryOption = Option<String>.text(
    "memory", value: "DIR",
    help: "where vaults are made for which a sync is free, /dev/shm unless given")
  private static let binariesOption = Option<String>.text(
    "binaries", value: "DIR", help: "where vaultd and vaultctl are, beside vaultbench unless given")
  private static let quickOption = Option<Bool>.flag(
    "quick", help: "measures hardly anything, to see that everything works")
  private static let jsonOption = Option<Bool>.flag("json", help: "answers with JSON on one line")

  /// What parsing and help go by.
  static let command = Command(
    "vaultbench", summary: "measures what a vault costs, beside OpenSSL on the same machine",
    discussion: """
      Throw-away vaults are made and served by daemons of their own. Every figure that has a target \
      is a ratio of two things measured in turns in the same run, or holds on any machine. The \
      exit status is 0 whenever everything was measured, whatever it came to, and 1 otherwise.
      """,
    options: [
      .add(sectionOption), .add(namespacesOption), .add(directoryOption), .add(memoryOption),
      .add(binariesOption), .add(quickOption), .add(jsonOption),
    ],
    examples: [
      Command.Example("vaultbench", "measures everything, in some minutes"),
      Command.Example(
        "vaultbench --section scale --namespaces 1000000", "measures at the size of the design"),
      Command.Example("vaultbench --section signing --json", "gives a program one part"),
    ])

  let sections: [Section]
  let namespaces: Int
  let directory: String
  let memory: String
  let binaries: String?
  let isQuick: Bool
  let isJSON: Bool

  init(_ parsed: ParsedCommand) {
    let chosen = parsed.all(Self.sectionOption)
    sections = chosen.isEmpty ? Section.allCases : Section.allCases.filter(chosen.contains)
    isQuick = parsed[Self.quickOption]
    namespaces = parsed[Self.namespacesOption] ?? (isQuick ? 200 : 20_000)
    directory = parsed[Self.directoryOption] ?? SystemText.variable("TMPDIR") ?? "/var/tmp"
    memory = parsed[Self.memoryOption] ?? "/dev/shm"
    binaries = parsed[Self.binariesOption]
    isJSON = parsed[Self.jsonOption]
  }
}
