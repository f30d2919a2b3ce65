public import WireCoding

/// The answer to `policy.explain`: what the policy in force says of a call, and why.
public struct PolicyExplainResult: VaultResult, Hashable {
  /// The revision of the policy in force.
  public var revision: Int64
  /// The method of the call.
  public var method: String
  /// The namespace it is about.
  public var namespace: NamespaceName?
  /// Who calls.
  public var caller: ExplainedCaller
  /// The socket it comes in by.
  public var socket: CallSocket
  /// Whether it is allowed, rates aside.
  public var allowed: Bool
  /// Why it is not, one of the words of the audit's `reason`.
  public var reason: String?
  /// The decision in one sentence.
  public var words: String
  /// What each rule says, in the order of the policy; none when the policy does not decide.
  public var rules: [ExplainedRule]
  /// What the audit line says, when one was asked about.
  public var recorded: RecordedDecision?

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - revision: the revision of the policy in force.
  ///   - method: the method of the call.
  ///   - namespace: the namespace it is about.
  ///   - caller: who calls.
  ///   - socket: the socket it comes in by.
  ///   - allowed: whether it is allowed, rates aside.
  ///   - reason: why it is not, one of the words of the audit's `reason`.
  ///   - words: the decision in one sentence.
  ///   - rules: what each rule says, in the order of the policy.
  ///   - recorded: what the audit line says, when one was asked about.
  public init(
    revision: Int64, method: String, namespace: NamespaceName? = nil, caller: ExplainedCaller,
    socket: CallSocket, allowed: Bool, reason: String? = nil, words: String,
    rules: [ExplainedRule], recorded: RecordedDecision? = nil
  ) {
    self.revision = revision
    self.method = method
    self.namespace = namespace
    self.caller = caller
    self.socket = socket
    self.allowed = allowed
    self.reason = reason
    self.words = words
    self.rules = rules
    self.recorded = recorded
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode(into writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("revision")
    writer.integer(revision)
    writer.name("method")
    writer.string(method)
    writer.optional("namespace", namespace?.rawValue)
    writer.name("caller")
    caller.encode(into: &writer)
    writer.name("socket")
    writer.string(socket.rawValue)
    writer.name("allowed")
    writer.boolean(allowed)
    writer.optional("reason", reason)
    writer.name("words")
    writer.string(words)
    writer.name("rules")
    writer.beginArray()
    for rule in rules { rule.encode(into: &writer) }
    writer.endArray()
    if let recorded {
      writer.name("recorded")
      recorded.encode(into: &writer)
    }
    writer.endObject()
  }
}
