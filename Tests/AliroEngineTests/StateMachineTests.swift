import Testing

@testable import AliroEngine

/// Every message in every place: what is not expected ends the session, and nothing else happens.
@Suite struct StateMachineTests {
  /// What a message must lead to.
  private struct Outcome: Equatable {
    let state: PresentationState
    var word: UInt16?

    static func failed(_ word: UInt16?) -> Outcome { Outcome(state: .failed, word: word) }
  }

  @Test(arguments: Place.all(over: .ble), Sent.allCases)
  func `over BLE each message has one outcome in each place`(place: Place, sent: Sent) throws {
    try check(sent, in: place, over: .ble)
  }

  @Test(arguments: Place.all(over: .nfc), Sent.commands)
  func `over NFC each command has one outcome in each place`(place: Place, sent: Sent) throws {
    try check(sent, in: place, over: .nfc)
  }

  private func check(_ sent: Sent, in place: Place, over radio: Radio) throws {
    let walk = try StateWalk(to: place, over: radio)
    let session = walk.session
    #expect(session.state == place.state)
    let signatures = session.signer.transcripts.count
    let step = try walk.send(sent)
    let expected = outcome(of: sent, in: place, over: radio)
    #expect(Outcome(state: step.state, word: step.statusWord) == expected)
    #expect(session.state == step.state)
    #expect(step.messages.count <= 1)
    if place.isOver {
      #expect(step.messages.isEmpty && step.events.isEmpty && step.changes.isEmpty)
      #expect(step.refusal?.code == .protocolError)
    } else if step.state == .failed {
      #expect(step.refusal != nil && step.changes.isEmpty)
      #expect(step.events.last?.kind == .failed)
      // Only a command is answered.
      #expect((step.statusWord != nil) == (step.messages.count == 1))
      let after = try walk.send(.auth1)
      #expect(after.messages.isEmpty && after.state == .failed)
    } else {
      #expect(step.refusal == nil)
    }
    let hasSigned = sent == .auth1 && step.statusWord == 0x9000
    #expect(session.signer.transcripts.count == signatures + (hasSigned ? 1 : 0))
    let isTimed = radio == .ble && !place.isOver && step.state == .awaitingAuth0
    #expect((step.timeout != nil) == isTimed)
    #expect(session.memory.mailboxContents == [UInt8](repeating: 0, count: 600))
  }

  @Test(arguments: Place.allCases)
  func `closing works in every place, and starting in the first alone`(place: Place) throws {
    for radio in Radio.allCases where Place.all(over: radio).contains(place) {
      let walk = try StateWalk(to: place, over: radio)
      let step = walk.session.start()
      #expect(step.messages.count == (place == .ready && radio == .ble ? 1 : 0))
      let state = place == .ready && radio == .nfc ? .awaitingSelect : place.state
      #expect(step.state == state)
      #expect(walk.session.close().state == .closed)
      #expect(try walk.send(.auth0).state == .closed)
    }
  }

  private func outcome(of sent: Sent, in place: Place, over radio: Radio) -> Outcome {
    if place.isOver { return Outcome(state: place.state) }
    if Sent.notifications.contains(sent) { return notification(sent, in: place) }
    switch sent {
    case .noCommand: return .failed(0x6701)
    case .wrongClass: return .failed(0x6800)
    case .unknownCommand: return .failed(0x6D00)
    default: break
    }
    if place == .inAtomicSession { return inAtomicSession(sent, over: radio) }
    if place == .delivering, sent == .getResponse { return Outcome(state: .finished, word: 0x9000) }
    return command(sent, in: place, over: radio)
  }

  private func inAtomicSession(_ sent: Sent, over radio: Radio) -> Outcome {
    switch sent {
    case .exchange, .chainedExchange: Outcome(state: .awaitingCompletion, word: 0x9000)
    case .readerStatus:
      radio == .nfc ? Outcome(state: .finished, word: 0x9000) : .failed(0x6701)
    default: .failed(0x6900)
    }
  }

  /// What is not named here is 6D00 and a failure.
  private func command(_ sent: Sent, in place: Place, over radio: Radio) -> Outcome {
    let stays = Outcome(state: place.state, word: 0x9000)
    let afterwards: PresentationState = place == .delivering ? .finished : place.state
    switch (sent, place) {
    case (.getData, _): return Outcome(state: afterwards, word: 0x6A88)
    case (.selectOther, _): return Outcome(state: afterwards, word: 0x6A82)
    case (.controlFlow, _): return Outcome(state: .finished, word: 0x9000)
    case (.controlFlowFailure, _): return .failed(0x9000)
    case (.selectExpedited, _) where radio == .nfc:
      return Outcome(state: .awaitingAuth0, word: 0x9000)
    case (.selectStepUp, .awaitingCompletion) where radio == .nfc: return stays
    case (.auth0, .awaitingAuth0): return Outcome(state: .awaitingAuth1, word: 0x9000)
    case (.loadCertificate, .awaitingAuth1), (.loadCertificate, .fast): return stays
    case (.auth1, .awaitingAuth1), (.auth1, .certificateLoaded), (.auth1, .fast),
      (.auth1, .fastCertificateLoaded):
      return Outcome(state: .awaitingCompletion, word: 0x9000)
    case (.chainedAuth1, .awaitingAuth1), (.chainedAuth1, .certificateLoaded),
      (.chainedAuth1, .fast), (.chainedAuth1, .fastCertificateLoaded):
      return stays
    case (.exchange, _) where place.hasKeys && place != .fastCertificateLoaded: return stays
    case (.chainedExchange, _) where place.hasKeys && place != .fastCertificateLoaded: return stays
    case (.readerStatus, _) where place.hasKeys && place != .fastCertificateLoaded:
      return radio == .nfc ? Outcome(state: .finished, word: 0x9000) : .failed(0x6701)
    case (.envelope, .inStepUp),
      (.envelope, _) where radio == .ble && place.hasKeys && !place.isFast:
      return Outcome(state: place.state, word: 0x61E3)
    default: return .failed(0x6D00)
    }
  }

  private func notification(_ sent: Sent, in place: Place) -> Outcome {
    let stays = Outcome(state: place.state)
    guard place.hasKeys else { return sent == .clearBusy ? stays : .failed(nil) }
    switch sent {
    case .clearBusy where place.isFast: return stays
    case .busy, .timeSynchronisation, .ranging, .rangingNotification: return stays
    case .completed where place.state == .awaitingCompletion: return Outcome(state: .awaitingStatus)
    case .statusChanged: return place == .awaitingStatus ? Outcome(state: .finished) : stays
    default: return .failed(nil)
    }
  }
}
