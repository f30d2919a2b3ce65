import AccessPolicy
import Testing

/// A text that is no policy is refused by name and by line.
@Suite struct PolicyFaultTests {
  private static let start = "policy 1\nallow user:alice\n"
  private static let whole = start + "methods admin\nnamespaces **\n"

  private func fault(_ text: String, methods: [String]? = PolicyParserTests.methods) -> PolicyFault?
  {
    do throws(PolicyFault) {
      _ = try Policy(text, methods: methods)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    ("", 1, ""), ("# nothing but words\n\n", 1, ""), ("\n\nallow user:a", 3, "allow"),
    ("Policy 1", 1, "Policy"), ("policy", 1, ""), ("policy 2", 1, "2"), ("policy 01", 1, "01"),
    ("policy 1.0", 1, "1.0"), ("policy 1 2", 1, "2"), ("policy1", 1, "policy1"),
    ("policy 1\npolicy 1", 2, "policy"),
  ])
  func `the version comes first and once`(text: String, line: Int, word: String) {
    #expect(fault(text).map { [$0.line.description, $0.word] } == [line.description, word])
  }

  @Test(arguments: [
    "deny", "Allow", "allows", "method", "namespace", "subjects", "burst", "include", "*", "user:a",
    "allow:", "ALLOW", "-", "namespace_rate",
  ])
  func `an unknown keyword`(word: String) {
    let fault = fault(Self.whole + "\(word) user:a")
    #expect(fault?.line == 5 && fault?.word == word)
    #expect(fault?.reason.hasPrefix("no such keyword") == true)
  }

  @Test(arguments: ["methods admin", "namespaces **", "rate 1", "namespace-rate 1 burst 2"])
  func `what belongs to a rule stands in one`(line: String) {
    let fault = fault("policy 1\n\n\(line)\n")
    #expect(fault?.line == 3)
    #expect(fault?.word == line.split(separator: " ").first.map { String($0) })
  }

  @Test(arguments: [
    "alice", "user", "user:", "user:-a", "user:a b", "user:a:b", "user:a/b", "user:é",
    "user:4294967295",
    "user:4294967296", "user:00", "user:007", "user:+1", "user:a,b", "user:*", "group:", "group:$x",
    "group:99999999999999999999", "unit:", "unit:gateway", "unit:.service", "unit:gateway.socket",
    "unit:gateway@.service", "unit:@.service", "unit:@a.service", "unit:a/b.service",
    "unit:a.service.", "unit:*.service", "unit:A.SERVICE", "uid:1", "USER:a", ":a", "*", "everyone",
    "user:" + String(repeating: "a", count: 65),
    "unit:" + String(repeating: "a", count: 248) + ".service",
  ])
  func `a subject of no known form`(word: String) {
    let fault = fault("policy 1\nallow user:ok \(word)\nmethods admin\nnamespaces **")
    #expect(fault?.line == 2)
    if word.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), word.utf8.count <= 64 {
      #expect(fault?.word == word)
    }
  }

  @Test(arguments: [
    "root", "gateways", "Admin", "slot", "slot.", ".list", "slot.remove", "slot.l*", "*.list", "**",
    "slots.*", "slot.list.*", "slot*", "slot..*", ".*", "key.public", "unseal", "slot,list",
    "!seal",
    "-seal", "key.sign\u{301}", String(repeating: "a", count: 65),
  ])
  func `a method or preset that there is not`(word: String) {
    let fault = fault(Self.start + "namespaces **\n\nmethods status \(word)")
    #expect(fault?.line == 5)
  }

  @Test(arguments: [
    "*", "/", "/a", "a/", "A", "a//b", "a/***", "a/*/b", "a/**/b", "a*", "*/a", "**/a", "../a",
    "a/..",
    ".a", "a b*", "a/*/**", "ä", "a:b", "/*", "/**", "a/b/c/d/e/f/g/h/i", "a/b/c/d/e/f/g/h/*",
    "a/b/c/d/e/f/g/h/**", String(repeating: "a", count: 64),
    "a/" + String(repeating: "a", count: 64),
  ])
  func `a pattern that can match no namespace`(word: String) {
    let fault = fault(Self.start + "methods admin\nnamespaces b \(word)")
    #expect(fault?.line == 4)
  }

  @Test(arguments: [
    ("", ""), ("0", "0"), ("-1", "-1"), ("+1", "+1"), ("1.5", "1.5"), ("1000001", "1000001"),
    ("01", "01"), ("1e3", "1e3"), ("ten", "ten"), ("99999999999999999999", "99999999999999999999"),
    ("1 burst", ""), ("1 burst 0", "0"), ("1 burst 1000001", "1000001"), ("1 burst x", "x"),
    ("1 2", "2"), ("1 Burst 2", "Burst"), ("1 burst 2 3", "3"), ("burst 1", "burst"),
  ])
  func `a rate out of its form or bounds`(words: String, word: String) {
    for keyword in ["rate", "namespace-rate"] {
      let fault = fault(Self.whole + "\(keyword) \(words)")
      #expect(fault?.line == 5 && fault?.word == word)
    }
  }

  @Test func `the bounds of a rate are taken`() throws {
    let policy = try Policy(
      Self.whole + "rate 1 burst 1000000\nnamespace-rate 1000000 burst 1",
      methods: PolicyParserTests.methods)
    #expect(policy.rules[0].rate == CallRate(perSecond: 1, burst: 1_000_000))
    #expect(policy.rules[0].namespaceRate == CallRate(perSecond: 1_000_000, burst: 1))
  }

  @Test(arguments: [
    ("policy 1\nallow", 2), ("policy 1\n\nallow user:a # all", 3),
    ("policy 1\nallow user:a\nmethods admin", 2), ("policy 1\nallow user:a\nnamespaces **", 2),
    ("policy 1\nallow user:a\nallow user:b\nmethods admin\nnamespaces **", 2),
    ("policy 1\nallow user:a\nmethods\nnamespaces **", 3),
    ("policy 1\nallow user:a\nmethods admin\nnamespaces # none", 4),
  ])
  func `nothing is left out`(text: String, line: Int) {
    let fault = fault(text)
    #expect(fault?.line == line && fault?.word == "")
  }

  @Test(arguments: [
    ("allow user:a user:a", 2), ("allow user:a\nmethods admin admin", 3),
    ("allow user:a\nmethods admin\nmethods status admin", 4),
    ("allow user:a\nmethods admin\nnamespaces a\nnamespaces b/* a", 5),
    ("allow user:a\nrate 1\nrate 1", 4),
    ("allow user:a\nnamespace-rate 1\nrate 2\nnamespace-rate 1", 5),
  ])
  func `nothing stands twice in a rule`(text: String, line: Int) {
    let fault = fault("policy 1\n" + text)
    #expect(fault?.line == line)
    #expect(fault?.reason.contains("already") == true)
  }

  @Test(arguments: [
    "\0", "\u{7}", "\u{B}", "\u{1B}", "\u{7F}", "\u{85}", "\u{9B}", "\u{A0}\u{AD}", "\u{200B}",
    "\u{200F}", "\u{2028}", "\u{2029}", "\u{202E}", "\u{2066}", "\u{FEFF}", "\u{FFFD}", "\u{E0041}",
    "\u{10FFFF}",
  ])
  func `no character hides, not even in a comment`(character: String) {
    #expect(fault("policy 1\n# a\(character)b\n")?.line == 2)
    #expect(fault("policy 1\nallow\(character)user:a\n")?.line == 2)
    #expect(fault("\(character)policy 1\n")?.line == 1)
  }

  @Test func `lines end with a line feed alone`() {
    #expect(fault("policy 1\r\n")?.line == 1)
    let carriage = fault("policy 1\nallow user:alice\r\n")
    #expect(carriage?.line == 2 && carriage?.word == "user:alice")
    #expect(carriage?.reason.contains("carriage return") == true)
    #expect(fault("policy 1\n# a\r# b\n")?.line == 2)
  }

  @Test func `other letters stand in comments only`() {
    #expect(fault("policy 1 # für alle, 为了所有人, 🔑\n") == nil)
    #expect(fault("policy 1\nallow user:müller\n")?.reason.contains("U+00FC") == true)
    // A sign that is canonically the letter K is still not that letter.
    #expect(fault("policy 1\nallow user:\u{212A}\n")?.line == 2)
  }

  @Test func `64 KiB are taken, and not one octet more`() {
    let text = Self.whole
    let filler = "#" + String(repeating: "x", count: Policy.maximumCount - text.utf8.count - 1)
    #expect(fault(text + filler) == nil)
    let fault = fault(text + filler + "x")
    #expect(fault?.line == 1 && fault?.word == "")
    #expect(fault?.reason.contains("65537") == true)
  }

  @Test func `a word in a message is short and printable`() {
    let fault = fault("policy 1\n" + String(repeating: "word", count: 1000) + "\n")
    #expect(fault?.word == String(repeating: "word", count: 16) + "...")
    #expect(PolicyFault(line: 1, word: "a\u{1B}[2J\u{202E}é", reason: "").word == "a?[2J??")
    #expect(
      PolicyFault(line: 3, word: "foo", reason: "no such keyword").description
        == "line 3: \"foo\": no such keyword")
    #expect(PolicyFault(line: 3, word: "", reason: "missing").description == "line 3: missing")
  }

  @Test func `a stored policy keeps its words, though no method has them any more`() throws {
    let text = Self.start + "methods door.open door.* knocker\nnamespaces **\nallow user:007\n"
    #expect(fault(text)?.word == "door.open")
    let policy = try Policy(text + "methods *\nnamespaces **", methods: nil)
    #expect(policy.rules[0].methods == [.method("door.open"), .group("door"), .method("knocker")])
    #expect(policy.rules[1].subjects == [.user(.name("007"))])
    // But not what has no form at all.
    #expect(fault(Self.start + "methods Door\nnamespaces **", methods: nil)?.word == "Door")
  }
}
