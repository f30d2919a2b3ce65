import AliroEngine
import VaultAPI
import VaultCore

// The words of a presentation on the wire and in the engine. Those that both write as strings are
// the same strings.

extension AliroEngine.PresentationTransport {
  init(_ link: PresentationLink) {
    switch link {
    case .ble(let intent, let readerVersions, let version):
      let wanted: AliroEngine.PresentationIntent =
        switch intent {
        case .unsecure: .unsecure
        case .secure: .secure
        case .approach: .approach
        }
      self = .ble(readerVersions: readerVersions, version: version, intent: wanted)
    case .nfc: self = .nfc
    }
  }
}

extension AliroEngine.ReaderRequest {
  init(_ request: VaultAPI.ReaderRequest) {
    switch request {
    case .unsecure: self = .unsecure
    case .secure: self = .secure
    case .initiateRanging: self = .initiateRanging
    case .resumeRanging: self = .resumeRanging
    case .ranging(let message): self = .ranging(AliroEngine.RangingMessage(message))
    }
  }
}

extension AliroEngine.RangingMessage {
  fileprivate init(_ message: VaultAPI.RangingMessage) {
    let kind: Kind =
      switch message.message {
      case .m1: .m1
      case .m2: .m2
      case .m3: .m3
      case .m4: .m4
      case .suspendRequest: .suspendRequest
      case .suspendResponse: .suspendResponse
      case .resumeRequest: .resumeRequest
      case .resumeResponse: .resumeResponse
      }
    self.init(kind, payload: message.payload)
  }
}

extension VaultAPI.RangingMessage {
  init(_ message: AliroEngine.RangingMessage) {
    let kind: Kind =
      switch message.kind {
      case .m1: .m1
      case .m2: .m2
      case .m3: .m3
      case .m4: .m4
      case .suspendRequest: .suspendRequest
      case .suspendResponse: .suspendResponse
      case .resumeRequest: .resumeRequest
      case .resumeResponse: .resumeResponse
      }
    self.init(message: kind, payload: message.payload)
  }
}

extension VaultAPI.PresentationState {
  init(_ state: AliroEngine.PresentationState) {
    self = Self(rawValue: state.rawValue) ?? .failed
  }
}

extension VaultAPI.PresentationEvent {
  init(_ event: AliroEngine.PresentationEvent) {
    self.init(PresentationEventName(rawValue: event.kind.rawValue) ?? .error, detail: event.detail)
  }
}

extension PresentationRefusal {
  init(_ refusal: Refusal) {
    self.init(RPCErrorCode(refusal.code), message: refusal.message)
  }
}

extension RPCErrorCode {
  /// The wire's code for the reason of a refusal.
  init(_ code: Refusal.Code) {
    self = VaultError.Code(rawValue: code.rawValue).map { RPCErrorCode($0) } ?? .internalError
  }
}
