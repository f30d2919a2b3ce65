import Foundation

/// Compares JSON by a reader that is not ours.
enum JSON {
  static func object(_ text: String) -> NSDictionary? {
    try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary
  }

  /// Whether a line is a whole request with this method and these parameters, or with any when they
  /// are `"<any>"`.
  static func isRequest(_ line: String, _ expected: String) -> Bool {
    guard let line = object(line), let expected = object(expected) else { return false }
    return Set(line.allKeys.compactMap { $0 as? String }) == ["jsonrpc", "id", "method", "params"]
      && line["jsonrpc"] as? String == "2.0"
      && line["method"] as? String == expected["method"] as? String
      && (expected["params"] as? String == "<any>"
        || line["params"] as? NSDictionary == expected["params"] as? NSDictionary)
  }

  /// A member as JSON text.
  static func member(_ name: String, of line: String) -> String {
    switch object(line)?[name] {
    case let number as NSNumber: number.stringValue
    case let text as String: "\"\(text)\""
    default: "null"
    }
  }
}
