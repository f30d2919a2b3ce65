import VaultAPI
import WireCoding

/// The answers about passes for people.
enum PassView {
  /// `pass.info`: what the pass is, and then what it allows.
  static func blocks(_ result: JSONValue) -> [OutputBlock] {
    let access = AccessView.blocks(result["access"]?.elements ?? [])
    return [.fields(fields(result))] + access
  }

  /// What the pass is; `pass.store` tells less than `pass.info`.
  static func fields(_ result: JSONValue) -> [OutputBlock.Field] {
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
    if let issuer = result["issuer"] {
      fields.append(OutputBlock.Field(name: "issuer", value: words(issuer: issuer)))
    }
    if let revocation = result["revocation"] {
      fields.append(OutputBlock.Field(name: "revocation", value: words(revocation: revocation)))
    }
    if let mailbox = result["mailbox"] {
      fields.append(OutputBlock.Field(name: "mailbox", value: words(mailbox: mailbox)))
    }
    if result["stored"] != nil {
      fields.append(OutputBlock.Field(name: "stored", value: view["stored"]))
    }
    if let usable = result["usable"]?.flag {
      let reason = result["reason"].map { ": \(ResultView.words($0))" } ?? ""
      fields.append(OutputBlock.Field(name: "usable", value: (usable ? "yes" : "no") + reason))
    }
    return fields
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

  private static func words(issuer: JSONValue) -> String {
    let name = issuer["key_identifier"].map { "key \(ResultView.words($0)), " } ?? ""
    // Without the issuer's key the vault takes the document on the word of whoever stored it.
    return name + (issuer["verified"]?.flag == true ? "verified" : "not verified")
  }

  private static func words(revocation: JSONValue) -> String {
    let view = ResultView(revocation)
    let mode =
      switch revocation["mode"]?.text {
      case RevocationMode.overwrite.rawValue: ", to replace the reader's list"
      case RevocationMode.append.rawValue: ", to be added to the reader's list"
      default: ""
      }
    let entries = count(revocation["entries"], "entry", "entries")
    return "\(entries)\(mode); signed \(view["signed"]), "
      + "valid \(view["valid_from"]) to \(view["valid_until"])"
  }

  private static func words(mailbox: JSONValue) -> String {
    let verbs = [("readable", "read"), ("writable", "write")]
      .filter { mailbox[$0.0]?.flag == true }.map(\.1)
    let rights = verbs.isEmpty ? "not use" : verbs.joined(separator: " and ")
    let size = count(mailbox["size"], "byte", "bytes")
    let more = mailbox["step_up"]?.flag == true ? ", in step-up too" : ""
    return "\(size), which readers may \(rights)\(more)"
  }

  private static func count(_ number: JSONValue?, _ one: String, _ many: String) -> String {
    "\(number.map(ResultView.words) ?? "-") \(number?.number == 1 ? one : many)"
  }
}
