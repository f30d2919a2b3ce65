import Foundation
import Testing

/// Rules that the compiler does not know, held over all of `Sources`.
@Suite struct SourceRulesTests {
  /// Each access to a function inside a `Mutex` wraps it in one more thunk and stores that, so that
  /// a call gets slower with every call before it, and overflows the stack in the end.
  @Test func `no mutex holds a function`() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
    let files = try #require(
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var seen = 0
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      seen += 1
      #expect(text.firstMatch(of: /Mutex<[^\n]*->/) == nil, "\(file.lastPathComponent)")
    }
    #expect(seen > 300)
  }
}
