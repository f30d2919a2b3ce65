import SimulatedReader
import WireCoding

/// What a simulation has to tell, as it went.
struct SimulationReport {
  /// One thing that happened.
  private struct Entry {
    let speaker: String
    let name: String
    let words: String
    let octets: [UInt8]
    /// What the vault tells its caller of it, as it came.
    var events: [JSONValue] = []

    /// The events in words.
    var eventWords: String {
      let words = events.map { event in
        let view = ResultView(event)
        return view["event"] + (event["detail"] == nil ? "" : " (\(view["detail"]))")
      }
      return words.joined(separator: ", ")
    }
  }

  private let namespace: NamespaceName
  /// Whether messages are shown whole.
  private let isWhole: Bool
  private var entries: [Entry] = []
  private var outcome = ""

  /// How many octets are shown of a message, and how many stand on a line.
  private static let beginning = 20
  private static let lineOctets = 32
  private static let width = 76

  init(namespace: NamespaceName, isWhole: Bool) {
    self.namespace = namespace
    self.isWhole = isWhole
  }

  /// Tells of something that happened.
  mutating func tell(
    _ speaker: String, _ name: String, _ words: String, _ octets: [UInt8] = []
  ) {
    entries.append(Entry(speaker: speaker, name: name, words: words, octets: octets))
  }

  /// Tells of a message.
  mutating func tell(_ step: SimulatedStep) {
    tell(step.speaker.rawValue, step.name, step.words, step.octets)
  }

  /// Adds what the vault tells of the last message.
  mutating func note(_ step: JSONValue) {
    guard !entries.isEmpty else { return }
    entries[entries.count - 1].events += step["events"]?.elements ?? []
  }

  /// Tells how it ended.
  mutating func end(_ words: String) {
    outcome = words
  }

  /// All of it.
  func output(_ failure: CommandFailure?) -> CommandOutput {
    var lines = [
      "A simulated lock meets the vault's key of \(namespace.rawValue). Each message in turn:", "",
    ]
    for (index, entry) in entries.enumerated() {
      lines.append("\(index + 1). \(entry.speaker): \(entry.name)")
      lines += Self.wrap(entry.words)
      lines += octetLines(entry.octets)
      if !entry.events.isEmpty {
        lines += Self.wrap("The vault reports: \(entry.eventWords).")
      }
      lines.append("")
    }
    lines += DisplayText.wrap("What happened: " + outcome, Self.width)
    return CommandOutput(json: json, blocks: [.text(lines)], failure: failure)
  }

  private static func wrap(_ words: String) -> [String] {
    DisplayText.wrap(words, width - 4).map { "    " + $0 }
  }

  private func octetLines(_ octets: [UInt8]) -> [String] {
    guard !octets.isEmpty else { return [] }
    guard isWhole else {
      let end = octets.count > Self.beginning ? " ... (\(octets.count) bytes)" : ""
      return ["    " + Hex.encode(Array(octets.prefix(Self.beginning)).span) + end]
    }
    return stride(from: 0, to: octets.count, by: Self.lineOctets).map { start in
      let end = min(start + Self.lineOctets, octets.count)
      return "    " + Hex.encode(Array(octets[start..<end]).span)
    }
  }

  private var json: JSONValue {
    let steps = entries.map { entry in
      JSONValue.object([
        JSONMember(name: "speaker", value: .string(entry.speaker)),
        JSONMember(name: "name", value: .string(entry.name)),
        JSONMember(name: "text", value: .string(entry.words)),
        JSONMember(name: "octets", value: .string(Hex.encode(entry.octets.span))),
        JSONMember(name: "events", value: .array(entry.events)),
      ])
    }
    return .object([
      JSONMember(name: "namespace", value: .string(namespace.rawValue)),
      JSONMember(name: "steps", value: .array(steps)),
      JSONMember(name: "outcome", value: .string(outcome)),
    ])
  }
}
