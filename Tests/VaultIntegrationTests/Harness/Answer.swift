import Foundation

/// One line that the vault has answered.
struct Answer {
  let line: String
  private let object: [String: Any]

  init(_ line: String) {
    self.line = line
    let parsed = try? JSONSerialization.jsonObject(with: Data(line.utf8))
    object = parsed as? [String: Any] ?? [:]
  }

  /// The id, as text also when it is a number; `nil` when it is null.
  var id: String? {
    if let text = object["id"] as? String { return text }
    return (object["id"] as? Int).map(String.init)
  }

  var result: [String: Any]? { object["result"] as? [String: Any] }

  private var error: [String: Any]? { object["error"] as? [String: Any] }
  private var data: [String: Any]? { error?["data"] as? [String: Any] }

  /// The word of the error, `nil` for a result.
  var code: String? { data?["code"] as? String }
  /// The number of the error.
  var number: Int? { error?["code"] as? Int }
  /// The parameter the error is about.
  var field: String? { data?["field"] as? String }
  /// What the error says to people.
  var message: String? { error?["message"] as? String }

  /// A text of the result.
  func text(_ name: String) -> String? { result?[name] as? String }
  /// A number of the result.
  func integer(_ name: String) -> Int? { result?[name] as? Int }
  /// A yes or no of the result.
  func flag(_ name: String) -> Bool? { result?[name] as? Bool }
}
