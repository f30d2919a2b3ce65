import Foundation
import Testing
import WireCoding

@Suite struct NamespaceNameTests {
  @Test func `agrees with the grammar as a regular expression, on short and on long texts`() throws
  {
    let segment = "[a-z0-9][a-z0-9._-]{0,62}"
    let grammar = try NSRegularExpression(
      pattern: "\\A(?=.{1,128}\\z)\(segment)(?:/\(segment)){0,7}\\z",
      options: [.dotMatchesLineSeparators])
    let prefix = try NSRegularExpression(
      pattern: "\\A(?:(?=.{1,128}\\z)\(segment)(?:/\(segment)){0,7}"
        + "|(?=.{1,127}\\z)\(segment)(?:/\(segment)){0,6}/)\\z",
      options: [.dotMatchesLineSeparators])
    let matches = { (grammar: NSRegularExpression, text: String) in
      grammar.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
    }
    var accepted = 0
    for text in texts() {
      let isName = matches(grammar, text)
      accepted += isName ? 1 : 0
      #expect(((try? NamespaceName(text)) != nil) == isName, "\(text)")
      #expect(((try? NamespacePrefix(text)) != nil) == matches(prefix, text), "\(text)")
    }
    #expect(accepted > 100)
  }

  @Test func `every beginning of a name is a prefix`() throws {
    let long = String(repeating: "a", count: 63)
    for name in ["home/door-1", "a/b/c/d/e/f/g/h", long + "/" + long, "0._-"] {
      #expect(try NamespaceName(name).rawValue == name)
      for count in 1...name.count {
        let prefix = String(name.prefix(count))
        #expect(try NamespacePrefix(prefix).rawValue == prefix)
      }
    }
  }

  @Test(arguments: [
    ("", 0), ("A", 0), ("a/", 2), ("/a", 0), ("a//b", 2), ("a/.b", 2), ("..", 0), ("a b", 1),
    ("é", 0), ("a/b/c/d/e/f/g/h/i", 15), ("a\0", 1), ("a\n", 1),
    (String(repeating: "a", count: 64), 63), (String(repeating: "a", count: 129), 128),
  ])
  func `names the offset at which a name goes wrong`(text: String, offset: Int) {
    #expect(throws: WireCodingError.invalidNamespace(offset: offset)) { try NamespaceName(text) }
  }

  /// All texts of up to four characters of a small alphabet, and some at the limits.
  private func texts() -> [String] {
    let alphabet = ["a", "0", ".", "-", "/", "A", "é", "\n"]
    var texts = [""]
    var last = [""]
    for _ in 0..<4 {
      last = last.flatMap { text in alphabet.map { text + $0 } }
      texts += last
    }
    for count in [62, 63, 64] {
      let segment = String(repeating: "z", count: count)
      texts += [segment, "a/" + segment, segment + "/" + segment, segment + "/" + segment + "/"]
      texts += [segment + "/" + segment + "/a", segment + "/" + segment + "/ab"]
    }
    for count in 6...9 {
      let name = Array(repeating: "s", count: count).joined(separator: "/")
      texts += [name, name + "/"]
    }
    return texts
  }
}
