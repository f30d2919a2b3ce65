/// The answer to a reader's DeviceRequest (section 11): `{ "1": "1.0", "2": [ * Document ], "3": status }`.
enum DeviceResponse {
  /// The longest answer: with its encryption and envelope it fits one element.
  static let sizeLimit = 0xFF00

  private enum Status: UInt64 {
    case success = 0
    case general = 10
    case decoding = 11
    case validation = 12
  }

  /// Answers a request.
  ///
  /// Only what is asked for is shown. There is no device signature: holding the key was shown in
  /// AUTH1.
  ///
  /// - Parameters:
  ///   - deviceRequest: the decrypted request, whatever it is.
  ///   - documents: what there is to show.
  /// - Returns: an encoded DeviceResponse; what is wrong with a request is told by its status.
  static func answer(to deviceRequest: [UInt8], from documents: CredentialDocuments) -> [UInt8] {
    let request: DeviceRequest
    do throws(DeviceRequest.Flaw) {
      request = try DeviceRequest(deviceRequest)
    } catch {
      switch error {
      case .notDecodable: return encode([], .decoding)
      case .notValid: return encode([], .validation)
      }
    }
    var shown: [[UInt8]] = []
    var count = 0
    for items in request.items {
      guard let document = documents[items.documentType]?.encoded(showing: items.elements) else {
        continue
      }
      shown.append(document)
      // Checked as it grows: a short request can ask for the same document many times.
      count += document.count
      guard count <= sizeLimit - 32 else { return encode([], .general) }
    }
    return encode(shown, .success)
  }

  private static func encode(_ documents: [[UInt8]], _ status: Status) -> [UInt8] {
    var writer = CBORWriter()
    writer.map(3)
    writer.text("1")
    writer.text("1.0")
    writer.text("2")
    writer.array(documents.count)
    for document in documents { writer.item(document) }
    writer.text("3")
    writer.unsigned(status.rawValue)
    return writer.encoded
  }
}

extension SignedDocument {
  /// The document with some of its items alone: `{ "1": IssuerSigned, "5": docType }`.
  ///
  /// Items and signature are taken over octet for octet, since digests and signature cover octets.
  ///
  /// - Parameter elements: the elements to show, by namespace.
  /// - Returns: `nil` when it has none of them.
  fileprivate func encoded(showing elements: [String: Set<String>]) -> [UInt8]? {
    let shown = nameSpaces.compactMap { nameSpace -> NameSpace? in
      let wanted = elements[nameSpace.name] ?? []
      let items = nameSpace.items.filter { wanted.contains($0.element) }
      return items.isEmpty ? nil : NameSpace(name: nameSpace.name, items: items)
    }
    guard !shown.isEmpty else { return nil }
    var writer = CBORWriter()
    writer.map(2)
    writer.text("1")
    writer.map(2)
    writer.text("1")
    writer.map(shown.count)
    for nameSpace in shown {
      writer.text(nameSpace.name)
      writer.array(nameSpace.items.count)
      for item in nameSpace.items { writer.item(octets[item.encoding]) }
    }
    writer.text("2")
    writer.item(octets[issuerAuth])
    writer.text("5")
    writer.text(type)
    return writer.encoded
  }
}
