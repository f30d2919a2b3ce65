import AliroEngine
import VaultAPI
import VaultCore
import WireCoding

extension Dispatcher {
  func carryOutPresentation(_ request: VaultRequest, _ call: Call) {
    switch request {
    case .presentationOpen(let params):
      guard case .ble(let intent, let readerVersions, let version) = params.link else {
        call.fail(RPCError(.unsupported))
        return
      }
      let wanted = PresentationRequest(
        .ble(
          readerVersions: readerVersions, version: version,
          intent: intent == .secure ? .secure : .unsecure))
      worker.openPresentation(
        params.namespace, wanted, connection: call.connection, by: call.subject,
        call.answer { opened in
          let presentation = opened.value
          return PresentationOpenResult(
            presentation: PresentationID(presentation.id), messages: presentation.step.messages,
            state: VaultAPI.PresentationState(presentation.step.state),
            events: presentation.step.events.map { VaultAPI.PresentationEvent($0) },
            refusal: (presentation.refusal ?? presentation.step.refusal).map {
              PresentationRefusal($0)
            },
            expires: Timestamp(clamping: presentation.expires), seq: opened.sequence)
        })
    case .presentationExchange(let params):
      worker.exchange(
        params.presentation.octets, params.message, connection: call.connection,
        by: call.subject,
        call.answer { exchanged in
          let step = exchanged.value
          return PresentationStepResult(
            messages: step.messages, state: VaultAPI.PresentationState(step.state),
            events: step.events.map { VaultAPI.PresentationEvent($0) },
            statusWord: step.statusWord.map { [UInt8($0 >> 8), UInt8($0 & 0xFF)] },
            refusal: step.refusal.map { PresentationRefusal($0) }, disconnect: false,
            seq: exchanged.sequence)
        })
    case .presentationMatch, .presentationRequest, .presentationSign:
      call.fail(RPCError(.unsupported))
    case .presentationClose(let params):
      worker.closePresentation(
        params.presentation.octets, connection: call.connection, by: call.subject,
        call.answer { PresentationCloseResult(state: .closed, seq: $0) })
    default:
      call.fail(RPCError(.internalError))
    }
  }
}

extension VaultAPI.PresentationState {
  /// The wire's word; the engine uses the same ones.
  fileprivate init(_ state: AliroEngine.PresentationState) {
    self = Self(rawValue: state.rawValue) ?? .failed
  }
}

extension VaultAPI.PresentationEvent {
  /// The wire's event; the engine uses the same words.
  fileprivate init(_ event: AliroEngine.PresentationEvent) {
    self.init(PresentationEventName(rawValue: event.kind.rawValue) ?? .error, detail: event.detail)
  }
}

extension PresentationRefusal {
  fileprivate init(_ refusal: Refusal) {
    self.init(RPCErrorCode(refusal.code), message: refusal.message)
  }
}
