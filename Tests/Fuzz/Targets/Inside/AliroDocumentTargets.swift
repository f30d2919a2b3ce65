#if DEBUG || LIBFUZZER
  import VaultCrypto
  import WireCoding

  @testable import AliroEngine

  extension FuzzTarget {
    /// The values of elements, each put into documents whose digests are right: access data and
    /// revocation data are read, and described in words.
    static let aliroElement = FuzzTarget("aliro-element") { input in
      let value = copy(input)
      if let document = try? AccessDocument(IssuedDocument.access.document(of: value)) {
        DocumentTarget.check(document.document, value)
        require(DocumentTarget.isReadable(document.summary), "a summary is plain words")
        let pass = ValidatedPass(document: document, trust: [])
        DocumentTarget.checkHope(document.document) { pass.hopelessness(at: $0) != nil }
      }
      if let document = try? RevocationDocument(IssuedDocument.revocation.document(of: value)) {
        DocumentTarget.check(document.document, value)
        require(document.entryCount <= value.count, "every entry takes an octet")
        DocumentTarget.checkHope(document.document) { document.hopelessness(at: $0) != nil }
      }
    }

    /// The signed object of documents: what is taken is taken again.
    static let aliroObject = FuzzTarget("aliro-object", words: ["SHA-256", "aliro-r"]) { input in
      let payload = PlainCBOR.encoded(copy(input))
      guard let object = try? MobileSecurityObject(payload) else { return }
      require((try? MobileSecurityObject(payload)) == object, "reading changes nothing")
      for time in [object.signed, object.validFrom, object.validUntil] {
        require((try? Timestamp(time.description)) == time, "times are times")
      }
    }
  }

  private enum DocumentTarget {
    static func check(_ document: SignedDocument, _ value: [UInt8]) {
      let items = document.nameSpaces.flatMap(\.items)
      require(items.count == 1, "one item")
      require(document.octets[items[0].value].elementsEqual(value), "its value as it was given")
    }

    static func isReadable(_ summary: [AccessSummary]) -> Bool {
      let words = summary.flatMap { $0.rules + $0.schedules }
      return words.allSatisfy { $0.unicodeScalars.allSatisfy { $0.value >= 0x20 } && !$0.isEmpty }
    }

    /// A document without hope never gains any.
    static func checkHope(
      _ document: SignedDocument, _ isHopelessAt: (Timestamp) -> Bool
    ) {
      let object = document.object
      let (first, last) = (object.validFrom.seconds, object.validUntil.seconds)
      let times = [Timestamp.earliest.seconds, first, (first + last) / 2, last, last + 1]
      var wasHopeless = false
      for time in times {
        let isHopeless = isHopelessAt(Timestamp(clamping: time))
        require(isHopeless || !wasHopeless, "hope does not come back")
        wasHopeless = isHopeless
      }
      require(wasHopeless, "what has ended is hopeless")
    }
  }

  /// Documents around an element, as an issuer would make them but for the signature.
  private struct IssuedDocument {
    static let access = IssuedDocument(type: "aliro-a", hasKey: true)
    static let revocation = IssuedDocument(type: "aliro-r", hasKey: false)

    private let type: String
    /// How many members the signed object has, and those behind its digests.
    private let members: UInt64
    private let end: [UInt8]

    private init(type: String, hasKey: Bool) {
      self.type = type
      let point = CountingSigner.key.publicKey.uncompressed
      let key = PlainCBOR.map([
        (PlainCBOR.unsigned(1), PlainCBOR.unsigned(2)),
        (PlainCBOR.head(1, 0), PlainCBOR.unsigned(1)),
        (PlainCBOR.head(1, 1), PlainCBOR.bytes(Array(point[1..<33]))),
        (PlainCBOR.head(1, 2), PlainCBOR.bytes(Array(point[33...]))),
      ])
      let times = ["2026-01-15T08:30:00Z", "2026-01-15T08:30:00Z", "2027-01-15T00:00:00Z"]
        .map { PlainCBOR.tagged(0, PlainCBOR.text($0)) }
      let deviceKey = PlainCBOR.text("4") + PlainCBOR.map(["1": key])
      let validity = PlainCBOR.map(["1": times[0], "2": times[1], "3": times[2]])
      end =
        (hasKey ? deviceKey : []) + PlainCBOR.text("5") + PlainCBOR.text(type)
        + PlainCBOR.text("6") + validity + PlainCBOR.text("7") + [0xF4]
      members = hasKey ? 7 : 6
    }

    /// The document with one element of a value, whatever that is.
    func document(of value: [UInt8]) -> [UInt8] {
      let item = PlainCBOR.encoded(
        PlainCBOR.map([
          "1": PlainCBOR.unsigned(1), "2": PlainCBOR.bytes([UInt8](repeating: 0, count: 16)),
          "3": PlainCBOR.text("door"), "4": value,
        ]))
      let digest = PlainCBOR.bytes(SHA256.hash(item.span))
      let digests = PlainCBOR.map([(PlainCBOR.unsigned(1), digest)])
      let name = PlainCBOR.text(type)
      var object = PlainCBOR.head(5, members)
      object += PlainCBOR.text("1") + PlainCBOR.text("1.0")
      object += PlainCBOR.text("2") + PlainCBOR.text("SHA-256")
      object += PlainCBOR.text("3") + PlainCBOR.map([(name, digests)]) + end
      let identifier = PlainCBOR.bytes([UInt8](repeating: 0, count: 8))
      let envelope = PlainCBOR.array([
        PlainCBOR.bytes([0xA1, 0x01, 0x26]), PlainCBOR.map([(PlainCBOR.unsigned(4), identifier)]),
        PlainCBOR.bytes(PlainCBOR.encoded(object)),
        PlainCBOR.bytes([UInt8](repeating: 1, count: 64)),
      ])
      let items = PlainCBOR.map([(name, PlainCBOR.array([item]))])
      return PlainCBOR.map(["1": PlainCBOR.map(["1": items, "2": envelope]), "5": name])
    }
  }
#endif
