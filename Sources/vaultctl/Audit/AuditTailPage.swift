import Glibc
import WireCoding

/// An answer with lines of the audit log, as it is shown.
struct AuditTailPage {
  private var text: [UInt8] = []
  private var notes: [String] = []

  /// Takes an answer apart.
  ///
  /// - Parameters:
  ///   - page: the answer.
  ///   - isJSON: whether the lines are shown as they stand in the log.
  init(_ page: JSONValue, isJSON: Bool) {
    for line in page["lines"]?.elements ?? [] {
      text += isJSON ? JSONText.compact(line) : Array(AuditLineView.text(line).utf8)
      text.append(UInt8(ascii: "\n"))
    }
    for gap in page["missing"]?.elements ?? [] {
      let view = ResultView(gap)
      notes.append(
        "lines \(view["first"]) to \(view["last"]) are missing, or are not as the vault wrote them: "
          + "see `vaultctl audit verify`")
    }
  }

  /// Shows it.
  func show() throws(CommandFailure) {
    try StandardStream.write(text, to: STDOUT_FILENO)
    for note in notes { StandardStream.note(note) }
  }
}
