import Testing
import VaultCrypto
import WireCoding

@testable import AliroEngine

/// Every message in every state: what is not expected ends the session, and nothing else happens.
@Suite struct StateMachineTests {
  enum Place: CaseIterable {
    case ready, awaitingAuth0, awaitingAuth1, certificateLoaded, awaitingCompletion
    case awaitingStatus, finished, failed, closed

    var state: PresentationState {
      switch self {
      case .ready, .awaitingAuth0: .awaitingAuth0
      case .awaitingAuth1, .certificateLoaded: .awaitingAuth1
      case .awaitingCompletion: .awaitingCompletion
      case .awaitingStatus: .awaitingStatus
      case .finished: .finished
      case .failed: .failed
      case .closed: .closed
      }
    }

    var isOver: Bool { [.ready, .finished, .failed, .closed].contains(self) }
    var hasKeys: Bool { self == .awaitingCompletion || self == .awaitingStatus }
  }

  enum Sent: CaseIterable {
    case auth0, loadCertificate, auth1, chainedAuth1, exchange, envelope, controlFlow, getResponse
    case getData, selectOther, selectAliro, unknownCommand
    case clearBusy, clearError, clearCompleted
    case busy, generalError, completed, statusChanged, timeSynchronisation, ranging
    case rkeRequest, response, unknownProtocol, nothing

    var isSealed: Bool {
      switch self {
      case .busy, .generalError, .completed, .statusChanged, .timeSynchronisation, .ranging: true
      default: false
      }
    }
  }

  @Test(arguments: Place.allCases, Sent.allCases)
  func `each message has one outcome in each state`(place: Place, sent: Sent) throws {
    let session = try Transaction.direct.session()
    var reader = try Transaction.direct.channel()
    try bring(session, to: place, &reader)
    #expect(session.state == place.state)
    let signatures = session.signer.transcripts.count
    let step = session.receive(try message(sent, in: place, &reader))
    #expect(step.state == expected(sent, in: place))
    #expect(step.messages.count <= 1)
    if place.isOver {
      #expect(step.messages.isEmpty && step.events.isEmpty)
      #expect(step.refusal?.code == .protocolError)
    } else if step.state == .failed {
      #expect(step.refusal != nil)
      #expect(step.events.last?.kind == .failed)
      // Only a command is answered.
      #expect((step.statusWord != nil) == (step.messages.count == 1))
      let after = session.receive(try message(.auth1, in: place, &reader))
      #expect(after.messages.isEmpty && after.state == .failed)
    } else {
      #expect(step.refusal == nil)
    }
    let mayhaveSigned = sent == .auth1 && step.state == .awaitingCompletion
    #expect(session.signer.transcripts.count == signatures + (mayhaveSigned ? 1 : 0))
  }

  @Test(arguments: Place.allCases)
  func `closing works in every state, and starting in the first alone`(place: Place) throws {
    let session = try Transaction.direct.session()
    var reader = try Transaction.direct.channel()
    try bring(session, to: place, &reader)
    let step = session.start()
    #expect(step.messages.count == (place == .ready ? 1 : 0))
    #expect(step.state == place.state)
    #expect(session.close().state == .closed)
    #expect(session.command(Transaction.direct.vector.auth0Command.hex).state == .closed)
  }

  /// Where a message leads.
  ///
  /// What is not named here is a failure.
  private func expected(_ sent: Sent, in place: Place) -> PresentationState {
    if place.isOver { return place.state }
    switch (place, sent) {
    case (_, .getData), (_, .selectOther): return place.state
    case (_, .controlFlow): return .finished
    case (_, .exchange) where place.hasKeys, (_, .envelope) where place.hasKeys: return place.state
    case (.awaitingAuth0, .auth0): return .awaitingAuth1
    case (.awaitingAuth1, .loadCertificate), (.awaitingAuth1, .chainedAuth1): return .awaitingAuth1
    case (.certificateLoaded, .chainedAuth1): return .awaitingAuth1
    case (.awaitingAuth1, .auth1), (.certificateLoaded, .auth1): return .awaitingCompletion
    case (.awaitingAuth0, .clearBusy), (.awaitingAuth1, .clearBusy): return place.state
    case (.certificateLoaded, .clearBusy): return place.state
    case (.awaitingCompletion, .completed): return .awaitingStatus
    case (.awaitingStatus, .statusChanged): return .finished
    case (.awaitingCompletion, .statusChanged): return place.state
    case (.awaitingCompletion, .busy), (.awaitingStatus, .busy): return place.state
    case (.awaitingCompletion, .timeSynchronisation), (.awaitingStatus, .timeSynchronisation):
      return place.state
    case (.awaitingCompletion, .ranging), (.awaitingStatus, .ranging): return place.state
    default: return .failed
    }
  }

  private func bring(
    _ session: Session, to place: Place, _ reader: inout ReaderChannel
  ) throws {
    guard place != .ready else { return }
    _ = session.start()
    switch place {
    case .awaitingAuth0, .ready: return
    case .failed:
      _ = session.receive([])
      return
    case .closed:
      _ = session.close()
      return
    default: break
    }
    _ = session.receive(try message(.auth0, in: place, &reader))
    if place == .certificateLoaded {
      _ = session.receive(try message(.loadCertificate, in: place, &reader))
    }
    guard ![.awaitingAuth1, .certificateLoaded].contains(place) else { return }
    _ = session.receive(try message(.auth1, in: place, &reader))
    if place == .awaitingCompletion { return }
    _ = session.receive(try message(.completed, in: .awaitingCompletion, &reader))
    if place == .awaitingStatus { return }
    _ = session.receive(try message(.statusChanged, in: .awaitingStatus, &reader))
  }

  private func message(
    _ sent: Sent, in place: Place, _ reader: inout ReaderChannel
  ) throws -> [UInt8] {
    let vector = Transaction.direct.vector
    func sealed(_ id: UInt8, _ payload: String, _ number: UInt8 = 2) throws -> [UInt8] {
      // Without keys such a message is what an attacker might make up.
      guard place.hasKeys else { return frame(number, id, hexOctets(payload)) }
      return try reader.seal(id, hexOctets(payload), protocolNumber: number)
    }
    switch sent {
    case .auth0: return frame(0, 0, vector.auth0Command.hex)
    case .loadCertificate: return frame(0, 0, try Self.loadCertificate())
    case .auth1:
      return frame(
        0, 0, place == .certificateLoaded ? try certifiedAuth1() : vector.auth1Command.hex)
    case .chainedAuth1: return frame(0, 0, hexOctets("9081000003410101"))
    case .exchange: return frame(0, 0, vector.exchangeCommand.hex)
    case .envelope: return frame(0, 0, Vector.all.stepUp.envelopeCommand.hex)
    case .controlFlow: return frame(0, 0, hexOctets("803c000006410101420100"))
    case .getResponse: return frame(0, 0, hexOctets("00c0000000"))
    case .getData: return frame(0, 0, hexOctets("00ca7f6800"))
    case .selectOther: return frame(0, 0, hexOctets("00a4040005d27600008500"))
    case .selectAliro: return frame(0, 0, hexOctets("00a4040009a000000909acce550100"))
    case .unknownCommand: return frame(0, 0, hexOctets("80ff0000"))
    case .clearBusy: return frame(2, 0, [0, 0])
    case .clearError: return frame(2, 0, [1, 1, 2])
    case .clearCompleted: return frame(2, 3, [0, 2, 0x20, 0])
    // Unsealed, these two would be the clear ones.
    case .busy: return place.hasKeys ? try sealed(0, "0000") : frame(2, 0, [9])
    case .generalError: return place.hasKeys ? try sealed(0, "010101") : frame(2, 0, [1, 1])
    case .completed: return try sealed(3, "00022000")
    case .statusChanged: return try sealed(2, "00020001")
    case .timeSynchronisation: return try sealed(0, "0000", 3)
    case .ranging: return try sealed(1, "0000", 1)
    case .rkeRequest: return try sealed(4, "000101")
    case .response: return frame(0, 1, [0x90, 0x00])
    case .unknownProtocol: return frame(5, 0, [0, 0])
    case .nothing: return []
    }
  }

  /// A certificate by the first transaction's group key for another key of the vectors.
  private static func loadCertificate() throws -> [UInt8] {
    let group = try vectorKey("readerGroup")
    var fields = CertificateFields()
    fields.publicKey = try vectorPoint("readerCertified").uncompressed
    let body = try fields.toBeSigned(issuerKey: group.publicKey)
    var inner = TLVWriter()
    try inner.append(0x85, [0] + fields.publicKey)
    try inner.append(0x86, [0] + group.signature(message: body.span).der)
    var outer = TLVWriter()
    try outer.append(0x04, [0, 0])
    try outer.append(0x30, inner.bytes)
    var writer = TLVWriter()
    try writer.append(0x30, outer.bytes)
    return [0x80, 0xD1, 0, 0, UInt8(writer.bytes.count)] + writer.bytes
  }

  private func certifiedAuth1() throws -> [UInt8] {
    let transcript = Transaction.direct.vector.readerTBS.hex
    let signature = try vectorKey("readerCertified").signature(message: transcript.span)
    return hexOctets("80810000454101019e40") + signature.raw
  }
}
