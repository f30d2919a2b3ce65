import VaultAPI
import WireCoding

/// The answers about passes for people.
enum PassView {
  /// `pass.info`, and `pass.store`, which has fewer members.
  static func block(_ result: JSONValue) -> OutputBlock {
    let view = ResultView(result)
    var fields = [
      OutputBlock.Field(name: "digest", value: view["digest"]),
      OutputBlock.Field(name: "signed", value: view["signed"]),
      OutputBlock.Field(name: "valid from", value: view["valid_from"]),
      OutputBlock.Field(name: "valid until", value: view["valid_until"]),
    ]
    for group in result["reader_groups"]?.elements ?? [] {
      fields.append(OutputBlock.Field(name: "reader group", value: ResultView.words(group)))
    }
    if result["stored"] != nil {
      fields.append(OutputBlock.Field(name: "stored", value: view["stored"]))
    }
    if let usable = result["usable"]?.flag {
      let reason = result["reason"].map { ": \(ResultView.words($0))" } ?? ""
      fields.append(OutputBlock.Field(name: "usable", value: (usable ? "yes" : "no") + reason))
    }
    return .fields(fields)
  }

  /// `pass.delete`: what there was.
  static func deletion(_ result: JSONValue) -> String {
    switch (result["pass"]?.flag == true, result["key"]?.flag == true) {
    case (true, true): "the pass and its key are deleted"
    case (true, false): "the pass is deleted; there was no key"
    case (false, true): "the key is deleted; there was no pass"
    case (false, false): "there was neither a pass nor a key"
    }
  }
}
