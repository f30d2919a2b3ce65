/// Reads the text of a policy, line by line.
struct PolicyParser {
  /// The methods that a policy decides about; `nil` when any word of the right form is taken.
  private let methods: [String]?
  private var line = 0
  private var rules: [PolicyRule] = []
  /// The rule whose lines are being read.
  private var rule: PolicyRule?
  // What that rule has, for finding a word that stands twice among thousands.
  private var subjects: Set<PolicySubject> = []
  private var patterns: Set<MethodPattern> = []
  private var namespaces: Set<NamespacePattern> = []

  init(methods: [String]?) {
    self.methods = methods
  }

  mutating func read(_ text: String) throws(PolicyFault) -> [PolicyRule] {
    guard text.utf8.count <= Policy.maximumCount else {
      throw PolicyFault(
        line: 1, word: "",
        reason: "the text has \(text.utf8.count) octets; the most are \(Policy.maximumCount)")
    }
    var hasVersion = false
    for octets in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      line += 1
      let words = try PolicyLine.words(of: Substring(octets), line: line)
      guard let keyword = words.first else { continue }
      if hasVersion {
        try readLine(keyword, words.dropFirst())
      } else {
        try readVersion(words)
        hasVersion = true
      }
    }
    guard hasVersion else {
      throw PolicyFault(line: 1, word: "", reason: "the first line has to be: policy 1")
    }
    try endRule()
    return rules
  }

  private func readVersion(_ words: [String]) throws(PolicyFault) {
    guard words[0] == "policy" else {
      throw fault(words[0], "the first line has to be: policy 1")
    }
    guard words.count > 1 else { throw fault("", "the version is missing: policy 1") }
    guard words[1] == "1" else {
      throw fault(words[1], "no version this release reads: policy 1 is")
    }
    if words.count > 2 { throw fault(words[2], "nothing may follow the version") }
  }

  private mutating func readLine(
    _ keyword: String, _ words: ArraySlice<String>
  ) throws(PolicyFault) {
    switch keyword {
    case "allow":
      try endRule()
      try readSubjects(words)
    case "methods", "namespaces", "rate", "namespace-rate":
      guard rule != nil else { throw fault(keyword, "outside of a rule, which allow begins") }
      try readPart(keyword, words)
    case "policy": throw fault(keyword, "the version stands once, in the first line")
    default:
      throw fault(
        keyword, "no such keyword: there are allow, methods, namespaces, rate and namespace-rate")
    }
  }

  private mutating func readSubjects(_ words: ArraySlice<String>) throws(PolicyFault) {
    guard !words.isEmpty else {
      throw fault("", "a subject is missing: user:NAME, group:NAME or unit:NAME.service")
    }
    var rule = PolicyRule(line: line, subjects: [], methods: [], namespaces: [])
    for word in words {
      let subject = try PolicySubject(word, line: line, strictly: methods != nil)
      guard subjects.insert(subject).inserted else { throw fault(word, "the rule has it already") }
      rule.subjects.append(subject)
    }
    self.rule = rule
  }

  private mutating func readPart(
    _ keyword: String, _ words: ArraySlice<String>
  ) throws(PolicyFault) {
    switch keyword {
    case "methods":
      guard !words.isEmpty else { throw fault("", "a method or a preset is missing") }
      for word in words {
        let pattern = try MethodPattern(word, line: line, among: methods)
        guard patterns.insert(pattern).inserted else {
          throw fault(word, "the rule has it already")
        }
        rule?.methods.append(pattern)
      }
    case "namespaces":
      guard !words.isEmpty else { throw fault("", "a namespace pattern is missing") }
      for word in words {
        let pattern = try NamespacePattern(word, line: line)
        guard namespaces.insert(pattern).inserted else {
          throw fault(word, "the rule has it already")
        }
        rule?.namespaces.append(pattern)
      }
    case "rate":
      guard rule?.rate == nil else { throw fault(keyword, "the rule has a rate already") }
      let rate = try readRate(words)
      rule?.rate = rate
    default:
      guard rule?.namespaceRate == nil else {
        throw fault(keyword, "the rule has a rate for each namespace already")
      }
      let rate = try readRate(words)
      rule?.namespaceRate = rate
    }
  }

  /// Reads `50` or `50 burst 100`.
  private func readRate(_ words: ArraySlice<String>) throws(PolicyFault) -> CallRate {
    let words = Array(words)
    guard let first = words.first else { throw fault("", "the calls a second are missing") }
    let perSecond = try readCount(first)
    var burst = perSecond
    if words.count > 1 {
      guard words[1] == "burst" else { throw fault(words[1], "only burst may follow the rate") }
      guard words.count > 2 else { throw fault("", "the calls of a burst are missing") }
      burst = try readCount(words[2])
    }
    if words.count > 3 { throw fault(words[3], "nothing may follow the burst") }
    guard let rate = CallRate(perSecond: perSecond, burst: burst) else {
      throw fault(first, Self.countForm)
    }
    return rate
  }

  private func readCount(_ word: String) throws(PolicyFault) -> Int {
    guard let number = PolicyLine.number(word), (1...CallRate.maximum).contains(Int(number)) else {
      throw fault(word, Self.countForm)
    }
    return Int(number)
  }

  private static let countForm = "no whole number from 1 to \(CallRate.maximum)"

  private mutating func endRule() throws(PolicyFault) {
    guard let ended = rule else { return }
    if ended.methods.isEmpty { throw missing("methods", in: ended) }
    if ended.namespaces.isEmpty { throw missing("namespaces", in: ended) }
    rules.append(ended)
    rule = nil
    subjects = []
    patterns = []
    namespaces = []
  }

  private func missing(_ keyword: String, in rule: PolicyRule) -> PolicyFault {
    PolicyFault(
      line: rule.line, word: "", reason: "the rule that begins here has no \(keyword) line")
  }

  private func fault(_ word: String, _ reason: String) -> PolicyFault {
    PolicyFault(line: line, word: word, reason: reason)
  }
}
