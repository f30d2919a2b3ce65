import AliroEngine
import VaultAPI
import VaultCore
import VaultCrypto
import WireCoding

extension Dispatcher {
  func carryOutPresentation(_ request: VaultRequest, _ call: Call) {
    switch request {
    case .presentationMatch(let params):
      worker.matchAdvertisement(
        params.advertisement, address: params.address, in: params.namespace, by: call.subject,
        call.answer { PresentationMatchResult($0) })
    case .presentationOpen(let params):
      worker.openPresentation(
        params.namespace,
        PresentationRequest(
          AliroEngine.PresentationTransport(params.link), isUserConfirmed: params.userConfirmed),
        connection: call.connection, by: call.subject,
        call.answer { PresentationOpenResult($0.value, sequence: $0.sequence) })
    case .presentationExchange(let params):
      worker.exchange(
        params.presentation.octets, params.message, connection: call.connection,
        by: call.subject,
        call.answer { PresentationStepResult($0.value, sequence: $0.sequence) })
    case .presentationRequest(let params):
      worker.request(
        params.presentation.octets, AliroEngine.ReaderRequest(params.request),
        connection: call.connection, by: call.subject,
        call.answer { PresentationStepResult($0.value, sequence: $0.sequence) })
    case .presentationClose(let params):
      worker.closePresentation(
        params.presentation.octets, connection: call.connection, by: call.subject,
        call.answer { PresentationCloseResult(state: .closed, seq: $0) })
    case .presentationSign(let params):
      worker.signTranscript(
        GatewayTranscript(params), params.namespace, by: call.subject,
        call.answer {
          PresentationSignResult(
            signature: $0.value.signature.raw, keyVersion: $0.value.version, seq: $0.sequence)
        })
    default:
      call.fail(RPCError(.internalError))
    }
  }
}

extension GatewayTranscript {
  fileprivate init(_ params: PresentationSignParams) {
    self.init(
      readerIdentifier: params.readerIdentifier, deviceEphemeralKey: params.deviceEphemeralKey,
      readerEphemeralKey: params.readerEphemeralKey,
      transactionIdentifier: params.transactionIdentifier,
      readerSignature: params.readerSignature, certificate: params.certificate)
  }
}

extension PresentationMatchResult {
  fileprivate init(_ found: AdvertisementMatches) {
    self.init(
      connectable: found.isConnectable,
      matches: found.matches.map {
        PresentationMatch(
          namespace: $0.namespace, readerGroup: $0.readerGroup, verified: $0.isVerified)
      },
      more: found.hasMore)
  }
}

extension PresentationOpenResult {
  fileprivate init(_ opened: OpenedPresentation, sequence: Int64) {
    self.init(
      presentation: PresentationID(opened.id), messages: opened.step.messages,
      state: VaultAPI.PresentationState(opened.step.state),
      events: opened.step.events.map { VaultAPI.PresentationEvent($0) },
      refusal: (opened.refusal ?? opened.step.refusal).map { PresentationRefusal($0) },
      timeout: opened.step.timeout, expires: Timestamp(clamping: opened.expires), seq: sequence)
  }
}

extension PresentationStepResult {
  fileprivate init(_ step: PresentationStep, sequence: Int64) {
    let state = VaultAPI.PresentationState(step.state)
    self.init(
      messages: step.messages, state: state,
      events: step.events.map { VaultAPI.PresentationEvent($0) },
      statusWord: step.statusWord.map { [UInt8($0 >> 8), UInt8($0 & 0xFF)] },
      refusal: step.refusal.map { PresentationRefusal($0) },
      ranging: step.ranging.map { VaultAPI.RangingMessage($0) }, timeout: step.timeout,
      disconnect: state.isOver, seq: sequence)
  }
}
