import Testing
import VaultAPI
import VaultClient
import WireCoding

@testable import vaultctl

@Suite struct OutputTests {
  private let narrow = TerminalStyle(width: 30, isBold: false)

  private var table: Table {
    var table = Table(columns: [
      Table.Column(heading: "NO", isNumeric: true), Table.Column(heading: "LABEL", mayShrink: true),
      Table.Column(heading: "STATE"),
    ])
    table.rows = [["1", "short", "active"], ["12", "a label that goes on and on", "retired"]]
    return table
  }

  @Test func `columns are aligned, numbers at the right, no space at the end`() {
    #expect(
      table.lines(.plain) == [
        "NO  LABEL                        STATE",
        " 1  short                        active",
        "12  a label that goes on and on  retired",
      ])
  }

  @Test func `a table fits a narrow terminal by cutting what may be cut`() {
    #expect(
      table.lines(narrow) == [
        "NO  LABEL              STATE", " 1  short              active",
        "12  a label that goe…  retired",
      ])
  }

  @Test func `a column is never cut below eight, even when the table gets too wide`() {
    let lines = table.lines(TerminalStyle(width: 5, isBold: false))
    #expect(lines[2] == "12  a label…  retired")
  }

  @Test func `only headings are bold, and only on a terminal`() {
    let lines = table.lines(TerminalStyle(width: 100, isBold: true))
    #expect(lines[0] == "\u{1B}[1mNO  LABEL                        STATE\u{1B}[0m")
    #expect(!lines[1].contains("\u{1B}"))
  }

  @Test func `rows may be short, and there may be none`() {
    var table = table
    table.rows = [["3"]]
    #expect(table.lines(.plain) == ["NO  LABEL  STATE", " 3"])
    table.rows = []
    #expect(table.lines(.plain) == ["NO  LABEL  STATE"])
  }

  @Test(arguments: [
    ("plain ü 漢", "plain ü 漢"), ("a\u{1B}[2Jb", "a\\u{1b}[2Jb"), ("a\nb\tc", "a\\u{a}b\\u{9}c"),
    ("\u{7F}\u{9B}", "\\u{7f}\\u{9b}"), ("\u{202E}gpj", "\\u{202e}gpj"),
    ("\u{2028}", "\\u{2028}"), ("", ""),
  ])
  func `what acts on a terminal is shown as its number`(_ text: String, _ shown: String) {
    #expect(DisplayText.clean(text) == shown)
    #expect(OutputBlock.text([text]).lines(.plain) == [shown])
    let field = OutputBlock.Field(name: "x", value: text)
    #expect(OutputBlock.fields([field]).lines(.plain) == ["x  " + shown])
  }

  @Test func `text is cut, filled and wrapped to a width`() {
    #expect(DisplayText.fit("abcdef", 4) == "abc…")
    #expect(DisplayText.fit("abcd", 4) == "abcd")
    #expect(DisplayText.fit("abcdef", 1) == "a")
    #expect(DisplayText.fit("abcdef", 0) == "")
    #expect(DisplayText.pad("ab", 4) == "ab  ")
    #expect(DisplayText.pad("ab", 4, right: true) == "  ab")
    #expect(DisplayText.pad("abcde", 4) == "abcde")
    #expect(DisplayText.wrap("one two three", 7) == ["one two", "three"])
    #expect(DisplayText.wrap("incomprehensible", 7) == ["incomprehensible"])
    #expect(DisplayText.wrap("", 7) == [""])
  }

  @Test func `fields are aligned and never cut`() {
    let block = OutputBlock.fields([
      OutputBlock.Field(name: "a", value: String(repeating: "x", count: 40)),
      OutputBlock.Field(name: "long name", value: "y"),
    ])
    #expect(
      block.lines(narrow) == [
        "a          " + String(repeating: "x", count: 40), "long name  y",
      ])
  }

  @Test func `JSON is compact for programs and indented for people`() throws {
    let text = Array(#"{"a":[1,{"b":"x\"y"}],"c":{},"d":[],"e":null,"f":true}"#.utf8)
    let value = try JSONValue(text.span)
    #expect(JSONText.compact(value) == text)
    #expect(
      JSONText.indented(value) == [
        "{", "  \"a\": [", "    1,", "    {", "      \"b\": \"x\\\"y\"", "    }", "  ],",
        "  \"c\": {},", "  \"d\": [],", "  \"e\": null,", "  \"f\": true", "}",
      ])
  }

  @Test func `output for programs is one line of JSON and no notes`() {
    let output = CommandOutput(
      json: .object([]), blocks: [.text(["for people"])], notes: ["a note"])
    #expect(output.standardOutput(isJSON: true, .plain) == Array("{}\n".utf8))
    #expect(output.standardError(isJSON: true) == [])
    #expect(output.standardOutput(isJSON: false, .plain) == Array("for people\n".utf8))
    #expect(output.standardError(isJSON: false) == Array("a note\n".utf8))
    let raw = CommandOutput(json: .null, octets: [1, 2])
    #expect(raw.standardOutput(isJSON: false, .plain) == [1, 2])
  }

  @Test(
    arguments: [
      (0, 8, 0), (1, 8, 12), (8, 8, 100), (9, 8, 100), (-1, 8, 0), (.max / 2, .max, 50),
      (.max, .max, 100),
    ] as [(Int64, Int64, Int)])
  func `how far something has come is told of any total`(
    _ done: Int64, _ total: Int64, _ share: Int
  ) {
    #expect(ProgressLine.share(done, of: total) == share)
  }

  @Test func `a failure says what happened and what to do`() {
    let failure = CommandFailure(.noInput, "no file\u{1B}", hint: "name one")
    #expect(FailureText.lines(failure) == ["vaultctl: no file\\u{1b}", "  hint: name one"])
  }

  @Test(arguments: [
    ("plain", "plain"), ("/a/b-c_d.e", "/a/b-c_d.e"), ("", "''"), ("a b", "'a b'"),
    ("it's", "'it'\\''s'"), ("$HOME", "'$HOME'"), ("~", "'~'"), ("a;b", "'a;b'"), ("ü", "'ü'"),
  ])
  func `words for a shell are quoted when they must be`(_ word: String, _ quoted: String) {
    #expect(ShellWord.quote(word) == quoted)
  }
}
