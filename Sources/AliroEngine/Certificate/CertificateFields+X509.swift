package import VaultCrypto
package import WireCoding

/// The rebuilding of the X.509 v3 body that the compressed form stands for (section 5).
///
/// Everything in it but the seven fields is fixed, so a writer of nested elements is all it takes;
/// reading certificates is left to OpenSSL.
extension CertificateFields {
  private static let commonName: [UInt8] = [0x55, 0x04, 0x03]
  private static let ecPublicKey: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
  private static let prime256v1: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
  private static let ecdsaWithSHA256: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]
  private static let authorityKeyIdentifier: [UInt8] = [0x55, 0x1D, 0x23]
  private static let basicConstraints: [UInt8] = [0x55, 0x1D, 0x13]
  private static let keyUsage: [UInt8] = [0x55, 0x1D, 0x0F]

  /// Appends the algorithm identifier of ECDSA with SHA-256, without parameters.
  static func appendAlgorithm(to writer: inout TLVWriter) throws(TLVError) {
    try writer.append(0x30) { algorithm throws(TLVError) in
      try algorithm.append(0x06, ecdsaWithSHA256)
    }
  }

  /// The TBSCertificate in DER.
  ///
  /// - Parameter issuerKey: the issuer's key, whose SHA-1 is the authority key identifier.
  /// - Returns: the octets that the issuer has signed.
  /// - Throws: ``TLVError`` when a field is far longer than a certificate can have it.
  package func toBeSigned(issuerKey: P256PublicKey) throws(TLVError) -> [UInt8] {
    var writer = TLVWriter()
    try writer.append(0x30) { body throws(TLVError) in
      try body.append(0xA0) { version throws(TLVError) in try version.append(0x02, [2]) }
      // An INTEGER is signed: a serial with the top bit set gains a zero octet.
      try body.append(0x02, (serial.first ?? 0) & 0x80 == 0 ? serial : [0] + serial)
      try Self.appendAlgorithm(to: &body)
      try Self.appendName(issuer, to: &body)
      try body.append(0x30) { validity throws(TLVError) in
        try validity.append(0x17, notBefore)
        try validity.append(0x17, notAfter)
      }
      try Self.appendName(subject, to: &body)
      try body.append(0x30) { key throws(TLVError) in
        try key.append(0x30) { algorithm throws(TLVError) in
          try algorithm.append(0x06, Self.ecPublicKey)
          try algorithm.append(0x06, Self.prime256v1)
        }
        try key.append(0x03, [0] + publicKey)
      }
      try body.append(0xA3) { outer throws(TLVError) in
        try outer.append(0x30) { extensions throws(TLVError) in
          try Self.appendExtensions(issuerKey, to: &extensions)
        }
      }
    }
    return writer.bytes
  }

  private static func appendName(_ name: [UInt8], to writer: inout TLVWriter) throws(TLVError) {
    try writer.append(0x30) { sequence throws(TLVError) in
      try sequence.append(0x31) { set throws(TLVError) in
        try set.append(0x30) { attribute throws(TLVError) in
          try attribute.append(0x06, commonName)
          try attribute.append(0x0C, name)
        }
      }
    }
  }

  private static func appendExtensions(
    _ issuerKey: P256PublicKey, to writer: inout TLVWriter
  ) throws(TLVError) {
    let identifier = SHA1.hash(issuerKey.uncompressed.span)
    try writer.append(0x30) { item throws(TLVError) in
      try item.append(0x06, authorityKeyIdentifier)
      try item.append(0x04) { value throws(TLVError) in
        try value.append(0x30) { sequence throws(TLVError) in
          try sequence.append(0x80, identifier)
        }
      }
    }
    // Not an authority; critical.
    try writer.append(0x30) { item throws(TLVError) in
      try item.append(0x06, basicConstraints)
      try item.append(0x01, [0xFF])
      try item.append(0x04) { value throws(TLVError) in try value.append(0x30, []) }
    }
    // digitalSignature alone; critical.
    try writer.append(0x30) { item throws(TLVError) in
      try item.append(0x06, keyUsage)
      try item.append(0x01, [0xFF])
      try item.append(0x04) { value throws(TLVError) in try value.append(0x03, [0x07, 0x80]) }
    }
  }
}
