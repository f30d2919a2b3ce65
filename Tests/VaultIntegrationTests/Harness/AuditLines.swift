import Foundation

/// One line of an audit log.
struct AuditLine {
  private let members: [String: Any]

  /// Reads a line; `nil` when it is no line of the record itself.
  fileprivate init?(_ text: Substring) {
    let parsed = try? JSONSerialization.jsonObject(with: Data(text.utf8))
    guard let members = parsed as? [String: Any], members["seq"] != nil else { return nil }
    self.members = members
  }

  var sequence: Int { number("seq") ?? 0 }
  var uid: Int { number("uid") ?? -1 }
  var method: String { text("method") ?? "" }
  var outcome: String { text("outcome") ?? "" }
  var code: String? { text("code") }
  var reason: String? { text("reason") }
  var count: Int? { number("count") }

  func text(_ name: String) -> String? { members[name] as? String }
  func number(_ name: String) -> Int? { members[name] as? Int }
}

extension TestVault {
  /// The lines of the audit segments, in their order; those of the last second need not be there while
  /// the daemon runs, and those of a sealed vault never are.
  func auditLines() throws -> [AuditLine] {
    let directory = data + "/audit"
    let names = try FileManager.default.contentsOfDirectory(atPath: directory)
      .filter { $0.first?.isNumber == true }.sorted()
    return try names.flatMap { name in
      try String(contentsOfFile: "\(directory)/\(name)", encoding: .utf8).split(separator: "\n")
        .compactMap { AuditLine($0) }
    }
  }
}
