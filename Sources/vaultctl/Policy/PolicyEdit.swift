import Glibc
import VaultAPI
import WireCoding

/// The editing of the policy in force: as often as it takes, and never over somebody else's change.
struct PolicyEdit: Sendable {
  let context: CallContext

  /// Edits it.
  ///
  /// - Returns: what the vault answered, or that nothing was changed.
  /// - Throws: ``CommandFailure`` that says where the text is kept.
  func run() throws(CommandFailure) -> CommandOutput {
    let policy = try context.call(.policyGet)
    guard let revision = policy["revision"]?.number, let text = policy["policy"]?.text else {
      throw CommandFailure(.protocolMismatch, "the answer of the vault has no policy")
    }
    let file = try PrivateFile("policy", Array(text.utf8))
    do throws(CommandFailure) {
      let result = try edit(file, text, revision)
      file.remove()
      guard let result else {
        let json = JSONValue.object([JSONMember(name: "revision", value: .integer(revision))])
        return CommandOutput(json: json, notes: ["nothing is changed"])
      }
      return PolicyView.change(result, isTrial: false)
    } catch {
      throw kept(error, file, text)
    }
  }

  /// Lets a person edit until the vault takes the text, the person gives up, or something else is
  /// wrong.
  ///
  /// - Returns: the answer of the vault, `nil` when the text is as it was.
  private func edit(
    _ file: PrivateFile, _ text: String, _ revision: Int64
  ) throws(CommandFailure) -> JSONValue? {
    while true {
      try TextEditor.edit(file.path)
      do throws(CommandFailure) {
        let edited = try PolicyFile.read(file.path)
        if edited == text { return nil }
        return try PolicyFile.checked(edited) { policy throws(CommandFailure) in
          try context.call(.policySet(PolicySetParams(policy: policy, revision: revision)))
        }
      } catch {
        guard Self.isAboutTheText(error) else { throw error }
        switch Self.ask(error, file) {
        case .again: continue
        case .enough:
          // What was wrong has been shown.
          throw CommandFailure(error.code, "nothing is changed", server: error.server)
        case .nobody: throw error
        }
      }
    }
  }

  /// Whether another text would be taken.
  private static func isAboutTheText(_ failure: CommandFailure) -> Bool {
    failure.server.map { $0.field == "policy" } ?? (failure.code == .badData)
  }

  private enum Decision {
    case again, enough
    /// There is no terminal to ask on.
    case nobody
  }

  /// Shows what is wrong and asks whether to go on.
  private static func ask(_ failure: CommandFailure, _ file: PrivateFile) -> Decision {
    let terminal = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else { return .nobody }
    defer { close(terminal) }
    let lines = FailureText.lines(failure) + ["Edit \(file.path) again? [Y/n] "]
    guard
      (try? StandardStream.write(Array(lines.joined(separator: "\n").utf8), to: terminal)) != nil
    else { return .nobody }
    var answer: [UInt8] = []
    var octet: UInt8 = 0
    while octet != UInt8(ascii: "\n") {
      // The end of input is no consent.
      guard unsafe read(terminal, &octet, 1) == 1 else { return .enough }
      answer.append(octet)
    }
    return answer.starts(with: "n".utf8) || answer.starts(with: "N".utf8) ? .enough : .again
  }

  /// The failure with the place of the text, unless there is nothing in it to lose.
  private func kept(
    _ failure: CommandFailure, _ file: PrivateFile, _ text: String
  ) -> CommandFailure {
    guard (try? PolicyFile.read(file.path)) != text else {
      file.remove()
      return failure
    }
    var failure = failure
    var place = "your text is kept in \(file.path)"
    // An editor, or its user, may have removed it.
    if unsafe access(file.path, F_OK) != 0 {
      if file.removeIfGone() { return failure }
      place = "what the editor has left is in \(file.directory)"
    }
    let next =
      failure.server?.field == "revision"
      ? "compare it with `vaultctl policy show`, then use `vaultctl policy apply`" : failure.hint
    failure.hint = [place, next].compactMap { $0 }.joined(separator: "; ")
    return failure
  }
}
