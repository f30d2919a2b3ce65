import Foundation
import Testing

@testable import vaultctl

/// The files that a policy is read from.
@Suite struct PolicyFileTests {
  private func read(_ text: String) throws -> Result<String, CommandFailure> {
    let directory = try TemporaryDirectory()
    let path = directory.file("policy.txt")
    try Data(text.utf8).write(to: URL(filePath: path))
    do throws(CommandFailure) {
      return .success(try PolicyFile.read(path))
    } catch {
      return .failure(error)
    }
  }

  @Test func `what no request can carry is told with its line`() throws {
    guard case .failure(let failure) = try read("policy 1\nallow user:a\u{0}b\n") else {
      Issue.record("taken")
      return
    }
    #expect(failure.code == .badData)
    #expect(failure.message.hasSuffix("policy.txt: line 2: U+0000: a character that does not show"))
    #expect(FailureText.lines(failure).last == "  hint: line 2 is: allow user:a\\u{0}b")
  }

  /// The vault says of these where they stand.
  @Test func `other characters are left to the vault`() throws {
    for text in ["policy 1\r\n", "policy 1\n# \u{7}\n", "policy 1\n\u{202E}"] {
      #expect(try read(text) == .success(text))
    }
  }
}
