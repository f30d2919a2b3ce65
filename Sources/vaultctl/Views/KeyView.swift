import VaultAPI
import WireCoding

/// `key.public` and `key.list` for people.
enum KeyView {
  static func publicKey(
    _ result: JSONValue, _ format: PublicKeyFormat?
  ) throws(CommandFailure) -> [OutputBlock] {
    switch format {
    case nil: return [.fields(fields(result))]
    case .point: return [.text([try member("point", of: result)])]
    case .spki: return [.text([try member("spki", of: result)])]
    case .pem: return [.text(pem(try member("spki", of: result)))]
    }
  }

  static func list(_ result: JSONValue) -> OutputBlock {
    var table = Table(columns: [
      Table.Column(heading: "PURPOSE"), Table.Column(heading: "VERSION", isNumeric: true),
      Table.Column(heading: "STATE"), Table.Column(heading: "CREATED"),
    ])
    table.rows = (result["keys"]?.elements ?? []).map { key in
      let view = ResultView(key)
      return [view["purpose"], view["version"], view["state"], view["created"]]
    }
    return .table(table)
  }

  private static func fields(_ result: JSONValue) -> [OutputBlock.Field] {
    let view = ResultView(result)
    let version =
      result["created"]?.flag == true ? "\(view["version"]) (made now)" : view["version"]
    return [
      OutputBlock.Field(name: "namespace", value: view["namespace"]),
      OutputBlock.Field(name: "purpose", value: view["purpose"]),
      OutputBlock.Field(name: "version", value: version),
      OutputBlock.Field(name: "point", value: view["point"]),
    ]
  }

  private static func member(
    _ name: String, of result: JSONValue
  ) throws(CommandFailure) -> String {
    guard let text = result[name]?.text, (try? Base64.decode(text)) != nil else {
      throw CommandFailure(.protocolMismatch, "the answer holds no \(name)")
    }
    return text
  }

  /// RFC 7468: the base64 in lines of 64 characters between its two marks.
  private static func pem(_ base64: String) -> [String] {
    var lines = ["-----BEGIN PUBLIC KEY-----"]
    var rest = base64[...]
    while !rest.isEmpty {
      lines.append(String(rest.prefix(64)))
      rest = rest.dropFirst(64)
    }
    return lines + ["-----END PUBLIC KEY-----"]
  }
}
