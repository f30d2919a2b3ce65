public import WireCoding

/// Why a step of a renewal has brought no token.
public struct FlinkeyStepFailure: VaultParams {
  enum Member: String, MemberName {
    case reason
    case status
    case oauthError = "oauth_error"
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .reason: .required(.choice(FlinkeyFailureReason.allCases.map(\.rawValue)))
    case .status: .optional(.integer(VaultLimits.httpStatus))
    case .oauthError: .optional(.text(1...64))
    }
  }

  /// What happened.
  public var reason: FlinkeyFailureReason
  /// The HTTP status that the service answered with.
  public var status: Int64?
  /// The error that the token endpoint answered with (RFC 6749, section 5.2).
  public var oauthError: String?

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - reason: what happened.
  ///   - status: the HTTP status that the service answered with.
  ///   - oauthError: the error that the token endpoint answered with (RFC 6749, section 5.2).
  public init(
    reason: FlinkeyFailureReason, status: Int64? = nil, oauthError: String? = nil
  ) {
    self.reason = reason
    self.status = status
    self.oauthError = oauthError
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var reason: FlinkeyFailureReason?
    var status: Int64?
    var oauthError: String?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .reason: reason = try object.choice(&reader)
      case .status: status = try object.integer(&reader)
      case .oauthError: oauthError = try object.text(&reader)
      }
    }
    let cause = try object.required(reason, .reason)
    if cause == .httpStatus {
      status = try object.required(status, .status, with: .reason, cause)
    } else {
      try object.refuse(.status, with: .reason, cause)
    }
    if cause == .oauthError {
      oauthError = try object.required(oauthError, .oauthError, with: .reason, cause)
    } else {
      try object.refuse(.oauthError, with: .reason, cause)
    }
    self.reason = cause
    self.status = status
    self.oauthError = oauthError
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("reason")
    writer.string(reason.rawValue)
    writer.optional("status", status)
    writer.optional("oauth_error", oauthError)
    writer.endObject()
  }
}
