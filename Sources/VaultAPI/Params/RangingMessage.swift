public import WireCoding

/// One message that sets up ranging, without its header.
public struct RangingMessage: VaultParams, Hashable {
  /// Which message of the ranging set-up it is (section 12).
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    case m1, m2, m3, m4
    case suspendRequest = "suspend_request"
    case suspendResponse = "suspend_response"
    case resumeRequest = "resume_request"
    case resumeResponse = "resume_response"
  }

  enum Member: String, MemberName {
    case message, payload
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .message: .required(.choice(Kind.allCases.map(\.rawValue)))
    case .payload: .required(.base64(0...VaultLimits.rangingPayloadOctets))
    }
  }

  /// Which message it is.
  public var message: Kind
  /// Its content.
  public var payload: [UInt8]

  /// Makes the message.
  ///
  /// - Parameters:
  ///   - message: which message it is.
  ///   - payload: its content.
  public init(message: Kind, payload: [UInt8]) {
    self.message = message
    self.payload = payload
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var message: Kind?
    var payload: [UInt8]?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .message: message = try object.choice(&reader)
      case .payload: payload = try object.base64(&reader)
      }
    }
    self.message = try object.required(message, .message)
    self.payload = try object.required(payload, .payload)
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("message")
    writer.string(message.rawValue)
    writer.name("payload")
    writer.base64(payload)
    writer.endObject()
  }
}
