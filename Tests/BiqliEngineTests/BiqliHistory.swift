import EngineTestSupport
import WireCoding

@testable import BiqliEngine

/// One operation on an installation, as the model reads it.
struct BiqliStep: Encodable {
  var op: String
  var now: Int64 = 0
  var marker: String?
  var app: String?
  var key: String?
  var link: String?
  var token: String?
  var platform: String?
  var allowed: Bool?
  var domain: String?
  var appVersion: String?
  var osVersion: String?
  var sdkVersion: String?
  var instanceRandom: String?
  var eventRandom: String?
  var requestRandom: String?
  var event: String?
  var result: String?
  var status: Int?
  var code: String?
}

/// What a record holds, as the model tells it.
struct BiqliState: Decodable, Equatable {
  var app: String
  var marker: String
  var key: String?
  var instance: String?
  var start: Int64?
  var completed: Bool?
  var result: String?
  var link: String?
  var token: String?
  var event: String?
  var request: String?
  var body: String?
  var made: Int64?
  var attempts: UInt32?
  var sent_allowed: Bool?
  var sent_link: String?
  var sent_token: String?

  init(_ record: BiqliRecord) {
    app = record.appID.description
    marker = record.marker.digest.hex
    key = record.publishableKey?.description
    instance = record.instanceID?.description
    start = record.windowStart?.seconds
    completed = record.isCompleted ? true : nil
    result = record.cachedResult?.text
    link = record.link?.text
    token = record.token?.text
    event = record.pending?.eventID.description
    request = record.pending?.requestID.description
    body = record.pending?.text
    made = record.pending?.madeAt.seconds
    attempts = record.pending?.attempts
    sent_allowed = record.pending?.isProbabilisticAllowed
    sent_link = record.pending?.link?.text
    sent_token = record.pending?.token?.text
  }
}

/// Makes the steps of a life of an installation, and takes them.
struct BiqliHistory {
  private static let apps = [
    Sample.app, Sample.app, Sample.app, "biq_mapp_Z" + Sample.app.dropFirst(10),
  ]
  private static let links = [
    "https://example.com/a", "HTTPS://Example.com:443/a?x=[1]#f", "https://other.example/%20'",
  ]
  private static let tokens = ["a", "b", "c"].map { Sample.token($0) }

  private var random: FixedGenerator
  private var now: Int64 = 1_767_600_000
  private(set) var record: BiqliRecord?
  /// Events that were once pending.
  private var events = ["open_" + String(repeating: "0", count: 32)]

  init(seed: UInt64) {
    random = FixedGenerator(state: seed)
  }

  /// The next step, and what came of it.
  mutating func next() throws -> (step: BiqliStep, outcome: String) {
    // Mostly minutes pass, now and then days; a clock is sometimes set back a little.
    now += random.any(of: [0, 1, 60, 3_599, 7_200, -30])
    if random.below(30) == 0 { now += Int64(random.below(14 * 86_400)) }
    var step = BiqliStep(op: "open", now: now)
    if record != nil {
      step.op = random.any(of: [
        "open", "instance", "putLink", "putLink", "putToken", "begin", "begin", "begin", "begin",
        "complete", "complete", "complete", "fail", "fail", "cached", "cached", "window", "expire",
        "drop",
      ])
      if random.below(60) == 0 { step.op = "reset" }
    }
    fill(&step)
    let outcome = try take(step)
    if let event = record?.pending?.eventID.description, events.last != event {
      events.append(event)
    }
    return (step, outcome)
  }

  private mutating func fill(_ step: inout BiqliStep) {
    step.instanceRandom = random.octets(16).hex
    step.eventRandom = random.octets(16).hex
    step.requestRandom = random.octets(16).hex
    switch step.op {
    case "open":
      step.marker = [UInt8](repeating: random.below(8) == 0 ? 2 : 1, count: 20).hex
      step.app = random.any(of: Self.apps)
      step.key = random.any(of: [nil, nil, Sample.key, String(Sample.key.dropLast()) + "-"])
    case "putLink": step.link = random.any(of: Self.links)
    case "putToken": step.token = random.any(of: Self.tokens)
    case "begin":
      step.platform = random.any(of: ["ios", "android"])
      step.allowed = random.below(4) > 0
      step.domain = random.any(of: [nil, "links.example"])
      step.appVersion = random.any(of: [nil, "1.0", "2 \"beta\" \\ /"])
      step.osVersion = "19.\(random.below(5))"
      step.sdkVersion = "1.0.0"
    case "complete", "fail", "drop":
      let pending = record?.pending?.eventID.description
      step.event = random.below(4) > 0 ? pending ?? random.any(of: events) : random.any(of: events)
      step.status = random.any(of: [nil, 302, 400, 404, 404, 408, 425, 429, 500, 503])
      step.code = random.any(of: [nil, "resource_not_found", "handoff_mismatch", "other"])
      if step.op == "complete" { step.result = BiqliAnswers.make(&random) }
    default: break
    }
  }

  /// Takes a step as the vault would: on the stored record, storing what comes of it.
  private mutating func take(_ step: BiqliStep) throws -> String {
    guard step.op != "open" else { return try open(step) }
    guard step.op != "reset", let stored = record else {
      record = nil
      return ""
    }
    var changed = try decode(stored.octets())
    let outcome = try operate(on: &changed, step)
    record = changed
    return outcome
  }

  private mutating func open(_ step: BiqliStep) throws -> String {
    do {
      let opened = try BiqliRecord.open(
        record, marker: BiqliMarker(hexOctets(step.marker)), appID: BiqliAppID(step.app ?? ""),
        publishableKey: step.key.map { try BiqliPublishableKey($0) })
      record = opened.record
      return opened.opening.rawValue
    } catch BiqliError.conflict {
      return "conflict"
    }
  }

  private func operate(on record: inout BiqliRecord, _ step: BiqliStep) throws -> String {
    let now = Timestamp(clamping: step.now)
    switch step.op {
    case "instance": return record.instance(random: octets(step.instanceRandom)).description
    case "putLink": record.put(try BiqliDeepLink(step.link ?? ""))
    case "putToken": record.put(try BiqliHandoffToken(step.token ?? ""))
    case "begin":
      let fields = try BiqliRequestFields(
        platform: step.platform == "ios" ? .ios : .android,
        isProbabilisticAllowed: step.allowed ?? false,
        domain: step.domain.map { try BiqliDomain($0) }, appVersion: step.appVersion,
        osVersion: step.osVersion ?? "", sdkVersion: step.sdkVersion ?? "")
      let begun = try record.begin(
        fields, at: now,
        random: BiqliRandom(
          instance: octets(step.instanceRandom), event: octets(step.eventRandom),
          request: octets(step.requestRandom)))
      return "\(begun.beginning.rawValue) \(begun.request.text)"
    case "complete":
      guard let given = try? answer(step.result ?? "") else { return "refused" }
      let report = record.complete(try BiqliEventID(step.event ?? ""), with: given.result)
      let receipt = report == .stale ? nil : given.receipt
      return report.rawValue + (receipt.map { " " + $0 } ?? "")
    case "fail":
      return record.fail(
        try BiqliEventID(step.event ?? ""), try BiqliFailure(status: step.status, code: step.code)
      ).rawValue
    case "drop": return record.dropPending(try BiqliEventID(step.event ?? "")) ? "dropped" : "stale"
    case "cached": return record.cached(at: now)?.text ?? "nothing"
    case "window":
      guard case .open(let end) = record.window(at: now) else { return "closed" }
      return "open \(end.seconds)"
    default: record.expire(at: now)
    }
    return ""
  }

  private func octets(_ text: String?) -> InlineArray<16, UInt8> {
    let octets = hexOctets(text)
    return InlineArray { octets[$0] }
  }

  private func hexOctets(_ text: String?) -> [UInt8] {
    let digits = (text ?? "").compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }
}

/// Makes response bodies, most of them good ones, with receipts where they should be and elsewhere.
enum BiqliAnswers {
  static func make(_ random: inout FixedGenerator) -> String {
    let word = random.any(of: ["none", "none", "exact_app_link", "exact_handoff", "probabilistic"])
    var members = [
      #""open":{"id":"o\#(random.below(9))","firstOpen":\#(random.any(of: ["true", "false"])),"#
        + #""matchedBy":"\#(word)","confidence":"\#(random.any(of: ["exact", "none", "probabilistic"]))"}"#,
      #""requestId":"q é""#,
    ]
    members += optional(
      &random, "click", [#"{"id":"c"}"#, #"{"id":"c","attributionReceipt":"canary"}"#, "1"])
    members += optional(
      &random, "link", [#"{"id":"l","shortUrl":"https://x.y","route":"/a"}"#, #"{"id":"l"}"#])
    members += optional(
      &random, "attribution",
      [
        #"{"referralCode":"r","metadata":{"n":1.5,"l":[1,-2,[],{}],"attributionReceipt":{"a":"canary"}}}"#,
        #"{"referralCode":null,"metadata":[{"attributionReceipt":"canary"}],"dynamic":{"a":"b","c":"d"}}"#,
        #"{"dynamic":{"a":1}}"#,
      ])
    members += optional(
      &random, "attributionReceipt", [#""receipt-\#(random.below(1000))""#, #""receipt""#, "7"])
    members += optional(&random, "later", [#"{"attributionReceipt":"canary","x":null}"#, "true"])
    members.shuffle(using: &random)
    if random.below(12) == 0 { members.append(random.any(of: members)) }
    if random.below(12) == 0 { members.removeLast() }
    let text = "{" + members.joined(separator: ",") + "}"
    switch random.below(24) {
    case 0: return String(text.dropLast())
    case 1: return text + "x"
    // No text of these has blanks, colons or commas where these put blanks.
    case 2...8:
      return " " + text.replacing("\":", with: "\" :\n ").replacing("},", with: "}\t,") + "\n"
    default: return text
    }
  }

  /// A member, null or nothing; the last value now and then, when it is a bad one.
  private static func optional(
    _ random: inout FixedGenerator, _ name: String, _ values: [String]
  ) -> [String] {
    switch random.below(24) {
    case 0...7: []
    case 8...10: ["\"\(name)\":null"]
    case 11: ["\"\(name)\":\(values[values.count - 1])"]
    default: ["\"\(name)\":\(random.any(of: values.dropLast()))"]
    }
  }
}
