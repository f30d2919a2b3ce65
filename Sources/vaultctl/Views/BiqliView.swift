import VaultAPI
import WireCoding

/// The answers about installations of apps for people.
enum BiqliView {
  /// `biqli.open`: what there was.
  static func opening(_ result: JSONValue) -> String {
    switch result["opening"]?.text {
    case BiqliOpening.created.rawValue: "the state is made"
    case BiqliOpening.reset.rawValue: "another installation's state is deleted, and a new one made"
    case BiqliOpening.keyReplaced.rawValue: "the state is open, with another publishable key"
    default: "the state is open"
    }
  }

  /// `biqli.begin`: what to send.
  static func request(_ result: JSONValue) -> [OutputBlock.Field] {
    let view = ResultView(result)
    var fields = [
      OutputBlock.Field(name: "beginning", value: view["beginning"]),
      OutputBlock.Field(name: "event", value: view["event_id"]),
      OutputBlock.Field(name: "request", value: view["request_id"]),
    ]
    if result["publishable_key"] != nil {
      fields.append(OutputBlock.Field(name: "publishable key", value: view["publishable_key"]))
    }
    fields.append(OutputBlock.Field(name: "made", value: view["made"]))
    fields.append(OutputBlock.Field(name: "attempts", value: view["attempts"]))
    fields.append(OutputBlock.Field(name: "body", value: view["body"]))
    return fields
  }

  /// `biqli.complete`: what became of the event, and the receipt.
  static func completion(_ result: JSONValue) -> [OutputBlock] {
    let words =
      switch result["outcome"]?.text {
      case BiqliCompletionOutcome.matched.rawValue: "the event was matched"
      case BiqliCompletionOutcome.unmatched.rawValue: "the event was not matched"
      default: "the event is not the pending one: nothing has changed"
      }
    guard result["receipt"] != nil else { return [.text([words])] }
    let receipt = OutputBlock.Field(name: "receipt", value: ResultView(result)["receipt"])
    return [.text([words]), .fields([receipt])]
  }

  /// `biqli.fail`: what became of the event.
  static func failure(_ result: JSONValue) -> String {
    switch result["outcome"]?.text {
    case BiqliFailureOutcome.dropped.rawValue: "the event is settled: the refusal was final"
    case BiqliFailureOutcome.kept.rawValue: "the request stays: send it again later"
    default: "the event is not the pending one: nothing has changed"
    }
  }

  /// `biqli.pending`: what is not settled.
  static func pending(_ result: JSONValue) -> OutputBlock {
    guard result["pending"]?.flag == true else { return .text(["no request is pending"]) }
    let view = ResultView(result)
    return .fields([
      OutputBlock.Field(name: "event", value: view["event_id"]),
      OutputBlock.Field(name: "request", value: view["request_id"]),
      OutputBlock.Field(name: "made", value: view["made"]),
      OutputBlock.Field(name: "age", value: "\(view["age"]) s"),
      OutputBlock.Field(name: "attempts", value: view["attempts"]),
    ])
  }
}
