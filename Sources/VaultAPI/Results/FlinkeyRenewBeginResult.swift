public import WireCoding

/// The answer to `flinkey.renew.begin`: a step with what it needs, or none.
public struct FlinkeyRenewBeginResult: SecretResult {
  /// What a step needs; what it does not need is not there.
  public struct Inputs: Sendable {
    /// The flinkey API key, for a header.
    public var apiKey: SecretBox?
    /// The name of the API Manager user, for a form.
    public var userName: SecretBox?
    /// Its password, for a form.
    public var password: SecretBox?
    /// The access token of the flinkey API, for a header.
    public var accessToken: SecretBox?
    /// The SDK key, for a JSON body.
    public var sdkKey: SecretBox?
    /// The customer ID, for a JSON body.
    public var customerID: Int64?
    /// The user ID, for a JSON body.
    public var userID: Int64?
    /// The IdToken, for a form.
    public var idToken: SecretBox?

    /// Starts with nothing.
    public init() {}
  }

  /// A step in the caller's hand.
  public struct Work: Sendable {
    /// What the step is called when it is completed, 16 octets.
    public var lease: [UInt8]
    /// Which step it is.
    public var step: String
    /// The second from which on it is somebody else's.
    public var expires: Timestamp
    /// What it needs.
    public var inputs: Inputs

    /// Makes a step.
    ///
    /// - Parameters:
    ///   - lease: what the step is called when it is completed.
    ///   - step: which step it is.
    ///   - expires: the second from which on it is somebody else's.
    ///   - inputs: what it needs.
    public init(lease: [UInt8], step: String, expires: Timestamp, inputs: Inputs) {
      self.lease = lease
      self.step = step
      self.expires = expires
      self.inputs = inputs
    }
  }

  /// The step; `nil` when nothing is due.
  public var work: Work?
  /// The audit number of the call.
  public var seq: Int64

  /// Makes the result.
  ///
  /// - Parameters:
  ///   - work: the step.
  ///   - seq: the audit number of the call.
  public init(work: Work?, seq: Int64) {
    self.work = work
    self.seq = seq
  }

  /// Writes the object.
  ///
  /// - Parameter writer: guarded memory, or what counts the octets for it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("due")
    writer.boolean(work != nil)
    if let work {
      writer.name("lease")
      writer.base64(work.lease)
      writer.name("step")
      writer.string(work.step)
      writer.name("expires")
      writer.string(work.expires.description)
      writer.name("inputs")
      work.inputs.encode(into: &writer)
    }
    writer.name("seq")
    writer.integer(seq)
    writer.endObject()
  }
}

extension FlinkeyRenewBeginResult.Inputs {
  fileprivate func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.optional("api_key", apiKey)
    writer.optional("user_name", userName)
    writer.optional("password", password)
    writer.optional("access_token", accessToken)
    writer.optional("sdk_key", sdkKey)
    writer.optional("customer_id", customerID)
    writer.optional("user_id", userID)
    writer.optional("id_token", idToken)
    writer.endObject()
  }
}

extension JSONWriting where Self: ~Copyable {
  /// Writes a secret unless there is none.
  fileprivate mutating func optional(_ name: StaticString, _ secret: SecretBox?) {
    guard let secret else { return }
    self.name(name)
    string(secret: secret.bytes)
  }
}
