import EngineTestSupport
import Testing

@testable import BiqliEngine

/// Texts, answers and histories made at random, put to a model that shares no code with the engine
/// (`Tests/Interop/biqli_model.py`).
@Suite struct BiqliOracleTests {
  struct Task: Encodable {
    var texts: [String] = []
    var answers: [String] = []
    var histories: [[BiqliStep]] = []
  }

  struct Verdict: Decodable {
    struct Answer: Decodable, Equatable {
      let result: String
      let receipt: String?
      let match: Bool
    }
    struct Step: Decodable {
      let outcome: String
      let state: BiqliState?
    }
    let texts: [[String]]
    let answers: [Answer?]
    let histories: [[Step]]
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `a life goes as the model says`(seed: UInt64) throws {
    var task = Task()
    var outcomes: [[String]] = []
    var states: [[BiqliState?]] = []
    for life in 0..<25 {
      var history = BiqliHistory(seed: seed << 32 | UInt64(life))
      var steps: [BiqliStep] = []
      outcomes.append([])
      states.append([])
      for _ in 0..<120 {
        let (step, outcome) = try history.next()
        steps.append(step)
        outcomes[life].append(outcome)
        states[life].append(history.record.map { BiqliState($0) })
        let stored = try history.record?.octets() ?? []
        #expect(!String(decoding: stored, as: UTF8.self).contains("canary"))
      }
      task.histories.append(steps)
    }
    let verdicts = try oracle(task).histories
    try #require(verdicts.count == task.histories.count)
    var seen: Set<String> = []
    for life in task.histories.indices {
      for (index, verdict) in verdicts[life].enumerated() {
        let step = task.histories[life][index]
        #expect(outcomes[life][index] == verdict.outcome, "life \(life), step \(index): \(step)")
        #expect(states[life][index] == verdict.state, "life \(life), step \(index): \(step)")
        seen.insert(step.op + " " + (verdict.outcome.split(separator: " ").first ?? ""))
      }
    }
    // The lives are worth something.
    let expected: Set = [
      "open created", "open reset", "open unchanged", "open key_replaced", "open conflict",
      "begin new", "begin resumed", "begin replaced", "begin consent_withdrawn", "begin expired",
      "complete matched", "complete unmatched", "complete stale", "complete refused", "fail kept",
      "fail dropped", "fail stale", "drop dropped", "drop stale", "cached nothing", "window open",
      "window closed",
    ]
    #expect(expected.subtracting(seen) == [])
  }

  @Test func `answers are taken apart alike`() throws {
    var generator = FixedGenerator(state: 9)
    let task = Task(answers: (0..<2000).map { _ in BiqliAnswers.make(&generator) })
    let verdicts = try oracle(task).answers
    try #require(verdicts.count == task.answers.count)
    for (text, verdict) in zip(task.answers, verdicts) {
      let mine = (try? answer(text)).map {
        Verdict.Answer(result: $0.result.text, receipt: $0.receipt, match: $0.result.isMatch)
      }
      #expect(mine == verdict, "\(text)")
    }
    let taken = verdicts.count { $0 != nil }
    #expect(taken > 800 && taken < 1900)
  }

  @Test func `texts are taken as the same things`() throws {
    var generator = FixedGenerator(state: 10)
    let digits = "0123456789abcdefABCDEF0123456789"
    let good = [
      Sample.app, Sample.key, Sample.token("Z"), "install_" + digits, "open_" + digits,
      "req_" + digits, "https://a-1.example.com:8443/p/a?q=%41[x]#f", "HTTPS://X.y",
      "a.example.com",
      ".b.example.", String(repeating: "abcdefghi.", count: 25) + "abc",
    ]
    let pieces = [
      ".", "-", "_", "/", ":", "@", "?", "#", "%", " ", "\n", "\0", "é", "\u{130}", "0", "o", "O",
      "I",
      "g", "G", "65536", "[", "]", "\\", "\"", "https://", "\u{FF0E}",
    ]
    var task = Task(texts: good)
    for _ in 0..<6000 {
      var text = Array(generator.any(of: good).unicodeScalars)
      for _ in 0...generator.below(2) {
        let place = generator.below(text.count)
        let piece = Array(generator.any(of: pieces).unicodeScalars)
        switch generator.below(4) {
        case 0: text.remove(at: place)
        case 1: text.insert(contentsOf: piece, at: place)
        case 2: text.replaceSubrange(place...place, with: piece)
        default: text.append(contentsOf: piece)
        }
        if text.isEmpty { text = piece }
      }
      task.texts.append(String(String.UnicodeScalarView(text)))
    }
    let verdicts = try oracle(task).texts
    try #require(verdicts.count == task.texts.count)
    for (text, verdict) in zip(task.texts, verdicts) {
      #expect(Self.kinds(text) == verdict, "\(text)")
    }
    #expect(verdicts.prefix(good.count).allSatisfy { $0.count == 1 })
    #expect(verdicts.count { !$0.isEmpty } > 500)
  }

  private static func kinds(_ text: String) -> [String] {
    var kinds: [String] = []
    if (try? BiqliAppID(text)) != nil { kinds.append("app") }
    if (try? BiqliPublishableKey(text)) != nil { kinds.append("key") }
    if (try? BiqliHandoffToken(text)) != nil { kinds.append("token") }
    if (try? BiqliInstanceID(text)) != nil { kinds.append("instance") }
    if (try? BiqliEventID(text)) != nil { kinds.append("event") }
    if (try? BiqliRequestID(text)) != nil { kinds.append("request") }
    if (try? BiqliDeepLink(text)) != nil { kinds.append("link") }
    if (try? BiqliDomain(text)) != nil { kinds.append("domain") }
    return kinds
  }

  private func oracle(_ task: Task) throws -> Verdict {
    try PythonOracle("biqli_model").ask(task)
  }
}
