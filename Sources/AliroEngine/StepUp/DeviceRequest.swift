/// What a reader asks of the documents (section 11):
/// `{ "1": "1.0", "2": [ + { "1": #6.24(bstr ItemsRequest) } ] }`.
struct DeviceRequest: Hashable, Sendable {
  /// Why a request is not one.
  enum Flaw: Error {
    /// It is not CBOR in canonical form.
    case notDecodable
    /// It is CBOR, and not a request.
    case notValid
  }

  /// `{ "1": { namespace: { elementId: intentToRetain } }, ? "2": info, "5": docType }`.
  struct Items: Hashable, Sendable {
    let documentType: String
    /// The elements asked for, by namespace.
    let elements: [String: Set<String>]
  }

  /// The requests in their order, each for one type of document.
  let items: [Items]

  /// Reads a decrypted request; keys that are not known are passed over.
  init(_ octets: [UInt8]) throws(Flaw) {
    let root = try Self.decode(octets)
    guard root["1"]?.text == "1.0", let requests = root["2"]?.array, !requests.isEmpty else {
      throw .notValid
    }
    var items: [Items] = []
    for request in requests {
      guard let encoded = request["1"]?.tagged(24)?.bytes else { throw .notValid }
      items.append(try Items(Self.decode(encoded)))
    }
    self.items = items
  }

  private static func decode(_ octets: [UInt8]) throws(Flaw) -> CBORItem {
    do {
      return try CBORDecoder.decode(octets)
    } catch {
      throw .notDecodable
    }
  }
}

extension DeviceRequest.Items {
  fileprivate init(_ item: CBORItem) throws(DeviceRequest.Flaw) {
    guard let type = item["5"]?.text, let nameSpaces = item["1"]?.map else { throw .notValid }
    var elements: [String: Set<String>] = [:]
    for pair in nameSpaces {
      guard let name = pair.key.text, let wanted = pair.value.map else { throw .notValid }
      var identifiers: Set<String> = []
      for entry in wanted {
        // Whether the reader means to keep the element changes nothing here.
        guard let identifier = entry.key.text, entry.value.boolean != nil else { throw .notValid }
        identifiers.insert(identifier)
      }
      elements[name] = identifiers
    }
    documentType = type
    self.elements = elements
  }
}
