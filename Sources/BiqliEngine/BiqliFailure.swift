/// How sending a request failed.
package struct BiqliFailure: Hashable, Sendable {
  /// The HTTP status, 300–599; `nil` when there was no answer, or none that could be read.
  package let status: Int?
  /// The code of the error body.
  package let code: String?

  /// Checks a failure.
  ///
  /// - Parameters:
  ///   - status: the HTTP status, 300–599; a request that was answered with success has not failed, even
  ///     when its answer could not be read, and has no status here.
  ///   - code: 1–64 letters, digits, `_`, `.` or `-`.
  /// - Throws: ``BiqliError/parameter(_:due:)`` for `status` or `code`.
  package init(status: Int?, code: String?) throws(BiqliError) {
    if let status, !(300...599).contains(status) {
      throw .parameter("status", due: "a status from 300 to 599")
    }
    if let code {
      let isCode =
        (1...64).contains(code.utf8.count)
        && code.utf8.allSatisfy { BiqliText.isTokenCharacter($0) || $0 == UInt8(ascii: ".") }
      guard isCode else { throw .parameter("code", due: "1 to 64 letters, digits, _, . or -") }
    }
    self.status = status
    self.code = code
  }

  /// Whether sending the same request again cannot help.
  var isTerminal: Bool {
    guard let status else { return false }
    return status < 500 && ![408, 425, 429].contains(status)
  }
}
