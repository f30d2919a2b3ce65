extension RangingMessage.Kind {
  /// Finds the kind of a message of protocol 1.
  init?(id: UInt8) {
    guard let kind = Self.allCases.first(where: { $0.id == id }) else { return nil }
    self = kind
  }

  /// The identifier on the channel; the last three are taken to follow on (section 15.12).
  var id: UInt8 {
    switch self {
    case .m1: 1
    case .m2: 2
    case .m3: 3
    case .m4: 4
    case .suspendRequest: 5
    case .suspendResponse: 6
    case .resumeRequest: 7
    case .resumeResponse: 8
    }
  }

  /// Whether it belongs to a session that was set up before.
  var continuesSession: Bool {
    switch self {
    case .m1, .m2, .m3, .m4: false
    case .suspendRequest, .suspendResponse, .resumeRequest, .resumeResponse: true
    }
  }
}

extension RangingMessage {
  /// The longest payload that fits a message of the channel once it is encrypted.
  static let payloadLimit = BLEMessage.sizeLimit - 4 - 16
}
