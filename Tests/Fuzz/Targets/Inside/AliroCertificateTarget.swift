#if DEBUG || LIBFUZZER
  import VaultCrypto
  import WireCoding

  @testable import AliroEngine

  extension FuzzTarget {
    /// Reader certificates: one that decodes is what its fields are written as, stands for a
    /// certificate that OpenSSL reads, and does not make the group's own key good.
    static let aliroCertificate = FuzzTarget(
      "aliro-certificate", words: ["issuer", "490101000000Z"]
    ) { input in
      let octets = copy(input)
      let decoded = try? UnverifiedReaderCertificate(compressed: octets)
      if decoded != nil, let fields = try? CompressedCertificate.decode(octets) {
        require(CertificateTarget.encode(fields) == octets, "canonical")
        let x509 = try? decoded?.x509(issuerKey: AliroWorld.certified.key.publicKey)
        let parsed = x509.flatMap { try? X509Certificate(der: $0.span) }
        let isOrdered = decoded?.notAfter.seconds ?? 0 >= CertificateTarget.start(fields)
        require(parsed != nil || !isOrdered, "OpenSSL reads what is verified")
        require(parsed?.publicKey.uncompressed ?? fields.publicKey == fields.publicKey, "its key")
      }
      CertificateTarget.present(octets, decodes: decoded != nil)
    }
  }

  private enum CertificateTarget {
    /// The compressed form of fields (section 5).
    static func encode(_ fields: CertificateFields) -> [UInt8] {
      let standard = CertificateFields()
      let members: [(TLVTag, [UInt8], [UInt8])] = [
        (0x80, fields.serial, standard.serial), (0x81, fields.issuer, standard.issuer),
        (0x82, fields.notBefore, standard.notBefore), (0x83, fields.notAfter, standard.notAfter),
        (0x84, fields.subject, standard.subject), (0x85, [0] + fields.publicKey, []),
        (0x86, [0] + fields.signature, []),
      ]
      var writer = TLVWriter()
      try? writer.append(0x30) { outer throws(TLVError) in
        try outer.append(0x04, [0, 0])
        try outer.append(0x30) { inner throws(TLVError) in
          for (tag, value, standard) in members where value != standard {
            try inner.append(tag, value)
          }
        }
      }
      return writer.bytes
    }

    static func start(_ fields: CertificateFields) -> Int64 {
      UTCTime.timestamp(fields.notBefore)?.seconds ?? .max
    }

    /// Loads a certificate in a session of the group that certifies readers, and has the group's
    /// own key sign.
    static func present(_ octets: [UInt8], decodes: Bool) {
      guard octets.count <= 1024 else { return }
      var reader = FuzzReader(FuzzSetting(0))
      reader.beginTransaction(in: AliroWorld.certified)
      let answers = reader.send(0x80, 0xD1, octets)
      require(answers.dropLast().allSatisfy { $0 == 0x9000 }, "parts are taken")
      require(answers.last == (decodes ? 0x9000 : 0x6400), "its form tells")
      guard decodes else { return }
      let word = reader.authenticate(with: AliroWorld.certified.key)
      require(word == 0x6982, "a certified key speaks for itself alone")
      require(reader.signer.transcripts.isEmpty, "nothing was signed")
    }
  }
#endif
