import AccessPolicy
import Testing

/// What counts as taking a right away.
@Suite struct PolicyChangeTests {
  private static let before = """
    policy 1
    allow user:alice group:ops
      methods admin audit.tail
      namespaces **
      rate 50 burst 100
    allow unit:gate.service
      methods gateway
      namespaces sites/** spare
    """

  private func removes(_ after: String, from before: String = before) throws -> Bool {
    try Policy(after, methods: nil).removesRights(
      comparedWith: try Policy(before, methods: nil))
  }

  @Test(arguments: [
    before, before + "\nallow user:bob\nmethods monitor\nnamespaces **",
    "policy 1\nallow user:bob\nmethods monitor\nnamespaces **\n" + before.dropFirst(9),
    """
    # Turned around, and said in more lines.
    policy 1

    allow unit:gate.service
      namespaces spare
      namespaces sites/**
      methods gateway
    allow group:ops user:alice
      rate 50 burst 100
      methods audit.tail
      methods admin
      namespaces **
    """,
  ])
  func `nothing is taken away where every rule is still there`(after: String) throws {
    #expect(try !removes(after))
  }

  @Test(arguments: [
    ("user:alice ", ""), ("alice", "alicia"), ("group:ops", "user:ops"), (" audit.tail", ""),
    ("admin", "console"), ("namespaces **", "namespaces a/**"), ("rate 50", "rate 49"),
    ("burst 100", "burst 99"), ("  rate 50 burst 100\n", "  namespace-rate 50 burst 100\n"),
    ("spare", "spare/*"), ("sites/** ", ""), ("gate.service", "gate2.service"),
    // Changes that only give are not told from those that take.
    ("  rate 50 burst 100\n", ""), ("gateway", "gateway console"),
    ("gate.service", "gate.service user:1"),
  ])
  func `a rule that is not as it was may have taken something away`(
    old: String, new: String
  ) throws {
    let after = Self.before.replacing(old, with: new)
    #expect(after != Self.before)
    #expect(try removes(after))
  }

  @Test func `a rule that stood twice counts twice`() throws {
    let rule = "allow user:1\nmethods status\nnamespaces **\nrate 1\n"
    #expect(try removes("policy 1\n" + rule, from: "policy 1\n" + rule + rule))
    #expect(try !removes("policy 1\n" + rule + rule + rule, from: "policy 1\n" + rule + rule))
    #expect(try removes("policy 1", from: "policy 1\n" + rule))
    #expect(try !removes("policy 1\n" + rule, from: "policy 1"))
  }
}
