/// Makes policies, most of them good ones, and questions that they often have a rule for.
struct PolicyGenerator {
  /// A policy and what to ask it.
  struct Case: Encodable {
    let text: String
    let questions: [Question]
  }

  /// A call that somebody might make.
  struct Question: Encodable {
    let uid: UInt32
    let gid: UInt32
    let groups: [UInt32]
    let unit: String?
    let method: String
    let kind: String
    let name: String
  }

  static let methods = [
    "hello", "status", "seal", "slot.list", "slot.add", "namespace.get", "namespace.list",
    "key.public", "key.sign", "pass.store", "presentation.open", "policy.get", "policy.set",
    "audit.tail", "audit.archive", "vault.metrics", "flinkey.renew.begin", "flinkey.token",
  ]
  static let namespaces = [
    "a", "a/b", "a/b/c", "a/b/c/d", "a/bc", "ab", "b", "b/c", "a.b", "a-b/c", "z9",
    "s/t/u/v/w/x/y/z", "s/t/u/v/w/x/y",
  ]
  private static let subjects = [
    "user:alice", "user:bob", "user:root", "user:mallory", "user:1000", "user:7", "group:ops",
    "group:staff", "group:gone", "group:2000", "group:7", "unit:gate.service", "unit:a@1.service",
    "unit:a.b-c_d:e\\x2d.service", "user:0", "user:4294967294",
  ]
  private static let patterns =
    namespaces + ["**", "**", "a/*", "a/**", "a/b/*", "a/b/**", "b/*", "s/**", "s/t/u/v/w/x/y/*"]
  private static let methodWords =
    methods + [
      "*", "gateway", "console", "admin", "backup", "auditor", "monitor", "renewer",
      "slot.*", "policy.*",
      "flinkey.*", "flinkey.renew.*", "audit.*",
    ]
  private static let faultyWords = [
    "user:", "user:007", "user:4294967295", "unit:x", "uid:1", "group:a:b", "slot", "gate.*",
    "**.*",
    "a//b", "*", "A", "a/***", "é", "\u{202E}", "\r", "\0", "-1", "0", "01", "1000001", "burst",
    "#",
    "deny", "policy", "methods", "unit:@.service", "s/t/u/v/w/x/y/z/*", "x#y", "Status", "\u{A0}",
  ]
  private static let blanks = [" ", " ", " ", "  ", "\t", " \t "]

  private var random: UInt64
  /// How many of a hundred words are bad ones, in the policy that is being made.
  private var faultiness = 0

  init(seed: UInt64) {
    random = seed
  }

  /// SplitMix64.
  private mutating func next(below bound: Int) -> Int {
    random &+= 0x9E37_79B9_7F4A_7C15
    var value = random
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((value ^ (value >> 31)) % UInt64(bound))
  }

  private mutating func any<Element>(of list: [Element]) -> Element {
    list[next(below: list.count)]
  }

  private mutating func word(of list: [String]) -> String {
    next(below: 100) < faultiness ? any(of: Self.faultyWords) : any(of: list)
  }

  /// Some words, mostly without one that stands there twice.
  private mutating func words(of list: [String], upTo count: Int) -> [String] {
    var chosen: [String] = []
    for _ in 0...next(below: count) {
      let word = word(of: list)
      if !chosen.contains(word) || next(below: 100) < faultiness { chosen.append(word) }
    }
    return chosen
  }

  private mutating func line(_ words: [String]) -> String {
    var text = next(below: 3) == 0 ? any(of: Self.blanks) : ""
    for (index, word) in words.enumerated() {
      if index > 0 { text += any(of: Self.blanks) }
      text += word
    }
    switch next(below: 8) {
    case 0: text += " # über alles"
    case 1: text += any(of: Self.blanks)
    case 2: text += "\n"
    default: break
    }
    return text + "\n"
  }

  private mutating func rate() -> [String] {
    let numbers = ["1", "5", "50", "1000000"]
    let first = word(of: numbers)
    return next(below: 2) == 0 ? [first] : [first, "burst", word(of: numbers)]
  }

  private mutating func rule() -> String {
    var lines: [[String]] = []
    // Patterns are dealt out over the lines, as a word may stand only once in a rule.
    for (keyword, list) in [("methods", Self.methodWords), ("namespaces", Self.patterns)] {
      let words = words(of: list, upTo: 5)
      let half = words.count / 2
      if half > 0, next(below: 3) == 0 {
        lines.append([keyword] + words[..<half])
        lines.append([keyword] + words[half...])
      } else {
        lines.append([keyword] + words)
      }
    }
    if next(below: 3) == 0 { lines.append(["rate"] + rate()) }
    if next(below: 4) == 0 { lines.append(["namespace-rate"] + rate()) }
    if next(below: 200) < faultiness { lines.remove(at: next(below: lines.count)) }
    if next(below: 200) < faultiness { lines.append(any(of: lines)) }
    if next(below: 200) < faultiness { lines.append([word(of: Self.faultyWords)]) }
    var text = line(["allow"] + words(of: Self.subjects, upTo: 4))
    while !lines.isEmpty { text += line(lines.remove(at: next(below: lines.count))) }
    return text
  }

  mutating func makeCase() -> Case {
    faultiness = any(of: [0, 0, 2, 6])
    var text = line(["policy", "1"])
    if next(below: 100) < faultiness { text = line([word(of: ["policy", "#"]), "2"]) }
    for _ in 0..<next(below: 7) { text += rule() }
    if faultiness > 2, next(below: 4) == 0 {
      // One character is put elsewhere, or lost.
      var scalars = Array(text.unicodeScalars)
      let taken = scalars.remove(at: next(below: scalars.count))
      if next(below: 2) == 0 { scalars.insert(taken, at: next(below: scalars.count + 1)) }
      text = String(String.UnicodeScalarView(scalars))
    }
    return Case(text: text, questions: (0..<10).map { _ in question() })
  }

  private mutating func question() -> Question {
    let numbers: [UInt32] = [0, 7, 1000, 1001, 2000, 2001, 3000, 4_294_967_294]
    return Question(
      uid: any(of: numbers), gid: any(of: numbers),
      groups: (0..<next(below: 4)).map { _ in any(of: numbers) },
      unit: any(of: [nil, nil, "gate.service", "a@1.service", "a.b-c_d:e\\x2d.service", "a"]),
      method: any(of: Self.methods),
      kind: any(of: ["vault", "filtered", "namespace", "namespace", "namespace", "subtree"]),
      name: any(of: Self.namespaces))
  }
}
