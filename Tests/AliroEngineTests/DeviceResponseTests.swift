import Testing
import VaultCrypto

@testable import AliroEngine

/// Step-up against the vectors, and against requests and responses that cbor2 encoded.
@Suite struct DeviceResponseTests {
  private let vector = Vector.all.stepUp

  private static func documents() throws -> CredentialDocuments {
    CredentialDocuments(
      access: try AccessDocument(Vector.documents.access.hex),
      revocation: try RevocationDocument(Vector.documents.revocation.hex))
  }

  /// `{ "1": "1.0", "2": [], "3": status }`.
  private static func nothing(_ status: UInt8) -> [UInt8] {
    hexOctets("a3613163312e306132806133") + [status]
  }

  @Test func `answers the request of the vectors octet for octet`() throws {
    let access = try AccessDocument(Vector.all.accessDocument.document.hex)
    let answer = DeviceResponse.answer(
      to: vector.deviceRequest.hex, from: CredentialDocuments(access: access))
    #expect(answer == vector.deviceResponse.hex)
    let empty = DeviceResponse.answer(to: vector.deviceRequest.hex, from: CredentialDocuments())
    #expect(empty == vector.deviceResponseNothingToShow.hex)
  }

  @Test func `envelopes are those of the vectors`() throws {
    let command = try CommandAPDU(vector.envelopeCommand.hex)
    let sealed = try StepUpEnvelope.sealed(in: command.data)
    #expect(sealed.count == vector.deviceRequest.hex.count + 16)
    #expect(StepUpEnvelope.encode(sealed) == command.data)
    for response in [vector.envelopeResponseUnchained, vector.envelopeResponseNothingToShow] {
      let data = Array(response.hex.dropLast(2))
      #expect(StepUpEnvelope.encode(try StepUpEnvelope.sealed(in: data)) == data)
    }
  }

  @Test(arguments: [
    ("", "nothing"), ("5300", "no CBOR"), ("5401a0", "another tag"), ("5301a0", "an empty map"),
    ("530180", "no map"), ("5307a16464617461f6", "no octets"), ("5308a1646461746141", "cut short"),
    ("5308a164646174614100a0", "something behind it"), ("5309a16464617461580100", "a long head"),
    ("5308a1646461746141005308a164646174614100", "twice"), ("53", "no length"),
    ("5308a164646174656141", "another name"),
  ])
  func `an envelope of another form is malformed`(data: String, name: String) {
    let failure = #expect(throws: Failure.self) {
      _ = try StepUpEnvelope.sealed(in: hexOctets(data))
    }
    #expect(failure?.statusWord == .malformed)
  }

  @Test func `unknown tags and keys beside the data are passed over`() throws {
    // cbor2.dumps({"data": b"\x00", "x": 1})
    let data = hexOctets("8001ff 530ba2646461746141006178 01")
    #expect(try StepUpEnvelope.sealed(in: data) == [0])
  }

  @Test(arguments: Vector.documents.exchanges.list)
  func `shows what is asked for and nothing else`(exchange: Vector) throws {
    let answer = DeviceResponse.answer(to: exchange.request.hex, from: try Self.documents())
    #expect(answer == exchange.response.hex)
  }

  @Test func `a document that the credential has not is not shown`() throws {
    let everything = try #require(
      Vector.documents.exchanges.list.first { $0.name.text == "everything of both documents" })
    var documents = try Self.documents()
    documents = CredentialDocuments(access: documents.access)
    let answer = DeviceResponse.answer(to: everything.request.hex, from: documents)
    #expect(answer.count < everything.response.hex.count)
    // The document of the credential stands in it as it came.
    let own = try #require(documents.access).document.octets
    #expect(answer == hexOctets("a3613163312e30613281") + own + hexOctets("613300"))
  }

  @Test(arguments: Vector.documents.invalidRequests.list)
  func `a request of another form is answered with status 12`(request: Vector) throws {
    let answer = DeviceResponse.answer(to: request.request.hex, from: try Self.documents())
    #expect(answer == Self.nothing(12))
  }

  @Test(arguments: [
    "", "a1", "ff", "bf6131ff", "a2613163312e30613281a16131d818581fa2",
    // The request of the vectors with a longer head than is needed, and with an octet behind it.
    "a2613163312e3061329801a16131d818581fa26131a167616c69726f2d61a166666c6f6f7231f4613567616c69726f2d61",
    "a2613163312e30613281a16131d818581fa26131a167616c69726f2d61a166666c6f6f7231f4613567616c69726f2d6100",
    // A request whose inner octets are no CBOR.
    "a2613163312e30613281a16131d81841a1",
  ])
  func `a request that is not CBOR is answered with status 11`(request: String) throws {
    let answer = DeviceResponse.answer(to: hexOctets(request), from: try Self.documents())
    #expect(answer == Self.nothing(11))
  }

  @Test func `an answer that would not fit is a general error`() throws {
    let documents = CredentialDocuments(access: try AccessDocument(Vector.documents.large.hex))
    let requests = Vector.documents.largeRequests.list.map(\.hex)
    let single = DeviceResponse.answer(to: requests[0], from: documents)
    #expect(single.count > 33_000)
    #expect(single.suffix(3) == [0x61, 0x33, 0x00])
    let sealed = StepUpEnvelope.encode(single)
    #expect(try StepUpEnvelope.sealed(in: sealed) == single)
    #expect(DeviceResponse.answer(to: requests[1], from: documents) == Self.nothing(10))
  }

  @Test func `the longest answer fits an envelope`() throws {
    let sealed = [UInt8](repeating: 1, count: DeviceResponse.sizeLimit + 16)
    #expect(try StepUpEnvelope.sealed(in: StepUpEnvelope.encode(sealed)) == sealed)
  }

  @Test func `no changed or missing octet of a request traps or shows more`() throws {
    let documents = try Self.documents()
    let exchange = Vector.documents.exchanges[0]
    let request = exchange.request.hex
    let shown = exchange.response.hex
    let quiet = [Self.nothing(0), Self.nothing(11), Self.nothing(12), shown]
    for index in request.indices {
      let cut = DeviceResponse.answer(to: Array(request.prefix(index)), from: documents)
      #expect(cut == Self.nothing(11))
      for octet in UInt8.min...UInt8.max {
        var changed = request
        changed[index] = octet
        #expect(quiet.contains(DeviceResponse.answer(to: changed, from: documents)))
      }
    }
  }
}
