import VaultCrypto
import WireCoding

/// The signed part of a document: digests, the credential's key, type and validity (section 13).
struct MobileSecurityObject: Hashable, Sendable {
  let documentType: String
  let signed: Timestamp
  let validFrom: Timestamp
  let validUntil: Timestamp
  /// The credential's key, which access documents alone have.
  let deviceKey: P256PublicKey?
  private let digests: [String: [UInt64: [UInt8]]]

  /// Reads the payload of the envelope, CBOR of `#6.24(bstr MSO)`.
  init(_ payload: [UInt8]) throws(DocumentFlaw) {
    guard let inner = try CBORDecoder.decode(payload).tagged(24)?.bytes else {
      throw .field("issuerAuth.payload")
    }
    let object = try CBORDecoder.decode(inner)
    guard object["1"]?.text == "1.0" else { throw .field("mso.version") }
    guard object["2"]?.text == "SHA-256" else { throw .field("mso.digestAlgorithm") }
    guard let type = object["5"]?.text else { throw .field("mso.docType") }
    guard object["7"]?.boolean != nil else { throw .field("mso.timeVerificationRequired") }
    documentType = type
    digests = try Self.digests(object["3"])
    deviceKey = if let info = object["4"] { try Self.key(info["1"]) } else { nil }
    guard let validity = object["6"], validity.map != nil else {
      throw .field("mso.validityInfo")
    }
    signed = try Self.time(validity["1"], "signed")
    validFrom = try Self.time(validity["2"], "validFrom")
    validUntil = try Self.time(validity["3"], "validUntil")
  }

  /// Compares the digest of every item in the document with the signed one.
  ///
  /// An item covers its whole encoding, tag included; an item without a digest is as bad as one
  /// with another.
  ///
  /// - Returns: where the items stand.
  func checkedNameSpaces(
    _ item: CBORItem?, in document: [UInt8]
  ) throws(DocumentFlaw) -> [SignedDocument.NameSpace] {
    guard let pairs = item?.map else { throw .field("nameSpaces") }
    var nameSpaces: [SignedDocument.NameSpace] = []
    for pair in pairs {
      guard let name = pair.key.text, let entries = pair.value.array, !entries.isEmpty else {
        throw .field("nameSpaces")
      }
      var items: [SignedDocument.Item] = []
      var seen: Set<UInt64> = []
      for entry in entries {
        guard let inner = entry.tagged(24)?.bytes,
          let (identifier, item) = try Self.item(inner, encoding: entry.encoding),
          seen.insert(identifier).inserted
        else { throw .field("issuerSignedItem") }
        let octets = Array(document[entry.encoding])
        guard digests[name]?[identifier] == SHA256.hash(octets.span) else { throw .digest }
        items.append(item)
      }
      nameSpaces.append(SignedDocument.NameSpace(name: name, items: items))
    }
    return nameSpaces
  }

  /// `{ "1": digestId, "2": random, "3": elementId, "4": value }`, of which the value is free.
  private static func item(
    _ inner: [UInt8], encoding: Range<Int>
  ) throws(DocumentFlaw) -> (identifier: UInt64, item: SignedDocument.Item)? {
    let item = try CBORDecoder.decode(inner)
    guard let identifier = item["1"]?.unsigned, let random = item["2"]?.bytes, random.count >= 16,
      let element = item["3"]?.text, let value = item["4"]?.encoding
    else { return nil }
    // The inner octets end where the whole item does.
    let start = encoding.upperBound - inner.count
    return (
      identifier,
      SignedDocument.Item(
        element: element, encoding: encoding,
        value: start + value.lowerBound..<start + value.upperBound)
    )
  }

  private static func digests(
    _ item: CBORItem?
  ) throws(DocumentFlaw) -> [String: [UInt64: [UInt8]]] {
    guard let nameSpaces = item?.map else { throw .field("mso.valueDigests") }
    var digests: [String: [UInt64: [UInt8]]] = [:]
    for pair in nameSpaces {
      guard let name = pair.key.text, let entries = pair.value.map else {
        throw .field("mso.valueDigests")
      }
      for entry in entries {
        guard let identifier = entry.key.unsigned, let digest = entry.value.bytes,
          digest.count == 32
        else { throw .field("mso.valueDigests") }
        digests[name, default: [:]][identifier] = digest
      }
    }
    return digests
  }

  /// A COSE_Key: EC2 (1: 2) on P-256 (−1: 1) with both coordinates.
  private static func key(_ item: CBORItem?) throws(DocumentFlaw) -> P256PublicKey {
    guard let item, item[1]?.integer == 2, item[-1]?.integer == 1, let x = item[-2]?.bytes,
      let y = item[-3]?.bytes, x.count == 32, y.count == 32
    else { throw .field("mso.deviceKey") }
    let point = [0x04] + x + y
    do {
      return try P256PublicKey(uncompressed: point.span)
    } catch {
      throw .deviceKey
    }
  }

  /// `#6.0(tstr)`, 20 characters.
  private static func time(_ item: CBORItem?, _ name: String) throws(DocumentFlaw) -> Timestamp {
    guard let text = item?.tagged(0)?.text, let time = try? Timestamp(text) else {
      throw .field("mso.validityInfo.\(name)")
    }
    return time
  }
}
