import Testing

@testable import AliroEngine

/// The approach: the credential is accepted, and the caller decides what follows.
@Suite struct ApproachTests {
  private let transaction = Transaction.direct

  /// A session whose credential was accepted.
  private func accepted(hasRangingKey: Bool = false) throws -> Session {
    let session = try transaction.session(transport: ble(.approach))
    transaction.afterAuth1(session)
    if hasRangingKey {
      #expect(session.command(transaction.vector.exchangeCommand.hex).statusWord == 0x9000)
    }
    var reader = try transaction.channel()
    let step = session.receive(try reader.seal(3, Self.completed))
    #expect(step.state == .accepted && step.messages.isEmpty)
    #expect(step.events == [PresentationEvent(.accessProtocolCompleted, "secured")])
    return session
  }

  /// The reader's end of the channel of such a session.
  private func reader() throws -> ReaderChannel {
    var reader = try transaction.channel()
    _ = try reader.seal(3, Self.completed)
    return reader
  }

  private static let completed: [UInt8] = [0, 2, 0x20, 0]

  @Test(arguments: [
    (ReaderRequest.unsecure, UInt8(1), "unsecured"), (.secure, 0, "secured"),
  ])
  func `asks what the caller asks, and reports what became of it`(
    request: ReaderRequest, octet: UInt8, words: String
  ) throws {
    let session = try accepted()
    var reader = try reader()
    let step = session.request(request)
    #expect(step.state == .awaitingStatus && step.refusal == nil)
    let message = try #require(step.messages.first)
    #expect(message.prefix(2) == [2, 4])
    #expect(try reader.open(message) == [0, 1, octet])
    #expect(session.request(request).refusal != nil)
    let result = session.receive(try reader.seal(2, [0, 2, 0, octet]))
    #expect(result.events == [PresentationEvent(.accessGranted, words)])
    #expect(result.state == .finished)
  }

  @Test func `a request out of place is refused and changes nothing`() throws {
    let session = try transaction.session()
    func refused() -> PresentationState {
      let before = session.state
      let step = session.request(.unsecure)
      #expect(step.refusal?.code == .protocolError && step.messages.isEmpty)
      #expect(step.events.isEmpty && step.state == before)
      return step.state
    }
    _ = refused()
    _ = session.start()
    #expect(refused() == .awaitingAuth0)
    _ = session.command(transaction.vector.auth0Command.hex)
    #expect(refused() == .awaitingAuth1)
    _ = session.command(transaction.vector.auth1Command.hex)
    #expect(refused() == .awaitingCompletion)
    _ = session.receive(transaction.vector.bleMessages[0].wire.hex)
    #expect(refused() == .awaitingStatus)
    var reader = try transaction.channel()
    _ = try reader.seal(3, [0, 2, 0x20, 0])
    _ = session.receive(try reader.seal(2, [0, 2, 0, 1]))
    #expect(refused() == .finished)
    _ = session.close()
    #expect(refused() == .closed)
  }

  @Test func `a state that nobody asked for is passed on`() throws {
    let session = try accepted()
    var reader = try reader()
    for (octet, words) in [(UInt8(1), "unsecured"), (0, "secured"), (2, "jammed")] {
      let step = session.receive(try reader.seal(2, [0, 2, 0, octet]))
      #expect(step.events == [PresentationEvent(.status, words)])
      #expect(step.state == .accepted)
    }
  }

  @Test func `EXCHANGE goes on after the credential was accepted`() throws {
    let session = try accepted()
    let answer = session.fetch(transaction.vector.exchangeCommand.hex)
    #expect(answer == transaction.vector.exchangeResponse.hex)
    #expect(session.state == .accepted)
  }

  @Test func `ranging without a key is answered with general error 3`() throws {
    for (number, id, payload) in [
      (1, 1, [9]), (1, 5, []), (1, 7, []), (2, 1, [0, 0]), (2, 1, [1, 0]),
    ] as [(UInt8, UInt8, [UInt8])] {
      let session = try accepted()
      var reader = try reader()
      let step = session.receive(try reader.seal(id, payload, protocolNumber: number))
      let answer = try #require(step.messages.first)
      #expect(answer.prefix(2) == [2, 0])
      #expect(try reader.open(answer) == [1, 1, 3])
      #expect(step.state == .accepted && step.ranging.isEmpty && step.refusal == nil)
      #expect(step.events.map(\.kind) == [.status])
    }
  }

  @Test func `ranging that cannot be is refused to the caller`() throws {
    let session = try accepted()
    for request in [
      ReaderRequest.initiateRanging, .resumeRanging,
      .ranging(RangingMessage(.m1, payload: [1])),
    ] {
      let step = session.request(request)
      #expect(step.refusal != nil && step.messages.isEmpty && step.state == .accepted)
    }
    let keyed = try accepted(hasRangingKey: true)
    let long = [UInt8](repeating: 0, count: 4077)
    for request in [
      ReaderRequest.resumeRanging, .ranging(RangingMessage(.resumeRequest, payload: [])),
      .ranging(RangingMessage(.m2, payload: long)),
    ] {
      #expect(keyed.request(request).refusal != nil)
    }
    #expect(keyed.request(.ranging(RangingMessage(.m2, payload: long.dropLast()))).refusal == nil)
  }

  @Test func `relays the set-up both ways, and goes back to it`() throws {
    let session = try accepted(hasRangingKey: true)
    var reader = try reader()
    let initiate = try #require(session.request(.initiateRanging).messages.first)
    #expect(initiate.prefix(2) == [2, 1])
    #expect(try reader.open(initiate) == [0, 0])
    let early = session.receive(try reader.seal(7, [], protocolNumber: 1))
    #expect(try reader.open(try #require(early.messages.first)) == [1, 1, 3])
    for (kind, id) in [(RangingMessage.Kind.m1, UInt8(1)), (.m3, 3)] {
      let step = session.receive(try reader.seal(id, [id, 0xAA], protocolNumber: 1))
      #expect(step.ranging == [RangingMessage(kind, payload: [id, 0xAA])])
      #expect(step.messages.isEmpty && step.state == .accepted)
    }
    for (kind, id) in [(RangingMessage.Kind.m2, UInt8(2)), (.m4, 4)] {
      let step = session.request(.ranging(RangingMessage(kind, payload: [id])))
      let message = try #require(step.messages.first)
      #expect(message.prefix(2) == [1, id])
      #expect(try reader.open(message) == [id])
      #expect(step.state == .accepted)
    }
    for (kind, id) in zip(RangingMessage.Kind.allCases, UInt8(1)...8).dropFirst(4) {
      let step = session.receive(try reader.seal(id, [], protocolNumber: 1))
      #expect(step.ranging == [RangingMessage(kind, payload: [])])
      let sent = session.request(.ranging(RangingMessage(kind, payload: [])))
      #expect(try reader.open(try #require(sent.messages.first)) == [])
    }
    let resume = try #require(session.request(.resumeRanging).messages.first)
    #expect(try reader.open(resume) == [1, 0])
    // A message of that protocol that is not known is passed over.
    let unknown = session.receive(try reader.seal(9, [1], protocolNumber: 1))
    #expect(unknown.ranging.isEmpty && unknown.messages.isEmpty && unknown.state == .accepted)
    let step = session.receive(try reader.seal(2, [0, 2, 0, 1]))
    #expect(step.events == [PresentationEvent(.accessGranted, "unsecured")])
    #expect(step.state == .finished)
  }

  @Test func `how ranging stands is told in words`() throws {
    let session = try accepted(hasRangingKey: true)
    var reader = try reader()
    for (id, words) in [
      (UInt8(0), "ranging begins"), (2, "ranging will be set up later"),
      (3, "ranging will resume later"), (4, "secure ranging failed"), (5, "ranging is suspended"),
    ] {
      let step = session.receive(try reader.seal(1, [id, 0]))
      #expect(step.events == [PresentationEvent(.status, words)])
      #expect(step.state == .accepted && step.messages.isEmpty)
    }
    #expect(session.receive(try reader.seal(1, [9, 0])).events.isEmpty)
    expectFailure(session.receive(try reader.seal(1, [0])), nil, .protocolError)
  }

  @Test func `time synchronisation is taken and changes nothing`() throws {
    let session = try accepted()
    var reader = try reader()
    let step = session.receive(try reader.seal(0, [1, 2, 3], protocolNumber: 3))
    #expect(step.messages.isEmpty && step.events.isEmpty && step.state == .accepted)
  }
}
