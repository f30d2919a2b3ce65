#if DEBUG || LIBFUZZER
  import VaultCrypto

  @testable import AliroEngine

  extension FuzzTarget {
    /// The data of ENVELOPE: what is taken out of it can be put into one again.
    static let aliroEnvelope = FuzzTarget("aliro-envelope", words: ["S", "\u{1}ddata"]) { input in
      let octets = copy(input)
      guard let sealed = try? StepUpEnvelope.sealed(in: octets) else { return }
      let written = StepUpEnvelope.encode(sealed)
      require(written.count <= octets.count, "the plainest envelope is the shortest")
      require((try? StepUpEnvelope.sealed(in: written)) == sealed, "written and read back")
    }

    /// Device requests: the answer shows items of the documents octet for octet, those alone that
    /// the request names, and is whole.
    static let aliroRequest = FuzzTarget(
      "aliro-request", words: ["aliro-a", "aliro-r", "floor1", "\u{1}d1.0"]
    ) { input in
      let request = copy(input)
      for documents in StepUpTarget.documents {
        let answer = DeviceResponse.answer(to: request, from: documents)
        require(answer.count <= DeviceResponse.sizeLimit, "an answer fits")
        guard let root = try? CBORDecoder.decode(answer), let shown = root["2"]?.array,
          let status = root["3"]?.unsigned
        else { return require(false, "an answer is a device response") }
        require(root["1"]?.text == "1.0" && [0, 10, 11, 12].contains(status), "version and status")
        require(status == 0 || shown.isEmpty, "an error shows nothing")
        for document in shown {
          StepUpTarget.check(Array(answer[document.encoding]), against: documents, asked: request)
        }
      }
    }
  }

  private enum StepUpTarget {
    static let documents: [CredentialDocuments] = {
      do {
        let access = try AccessDocument(Vectors.documents.octets("access"))
        let revocation = try RevocationDocument(Vectors.documents.octets("revocation"))
        let large = try AccessDocument(Vectors.documents.octets("large"))
        return [
          CredentialDocuments(access: access, revocation: revocation),
          CredentialDocuments(access: large),
        ]
      } catch {
        fatalError("the documents do not decode: \(error)")
      }
    }()

    static func check(
      _ shown: [UInt8], against documents: CredentialDocuments, asked request: [UInt8]
    ) {
      guard let document = try? SignedDocument(shown), let whole = documents[document.type] else {
        return require(false, "what is shown is a document, its digests right")
      }
      require(
        document.octets[document.issuerAuth] == whole.octets[whole.issuerAuth], "its signature")
      for nameSpace in document.nameSpaces {
        let source = whole.nameSpaces.first { $0.name == nameSpace.name }
        let originals = Set((source?.items ?? []).map { whole.octets[$0.encoding] })
        for item in nameSpace.items {
          require(originals.contains(document.octets[item.encoding]), "items octet for octet")
          require(names(item.element, in: request), "nothing but what is asked for")
        }
        require(names(nameSpace.name, in: request), "nothing but what is asked for")
      }
    }

    /// Whether a request holds a name, as far as its octets tell.
    private static func names(_ name: String, in request: [UInt8]) -> Bool {
      let name = PlainCBOR.text(name)
      return request.indices.contains { request[$0...].starts(with: name) }
    }
  }
#endif
