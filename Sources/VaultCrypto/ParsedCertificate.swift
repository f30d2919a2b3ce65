import COpenSSL
import Glibc

/// An owned `X509` of OpenSSL, and what is read from it.
@safe struct ParsedCertificate: ~Copyable {
  private let pointer: OpaquePointer

  /// Parses the certificate that octets begin with.
  init(der: Span<UInt8>) throws(VaultCryptoError) {
    let parsed = unsafe der.withOctets { octets, count in
      var cursor: UnsafePointer<UInt8>? = unsafe octets
      return unsafe d2i_X509(nil, &cursor, count)
    }
    guard let pointer = unsafe parsed else { throw .invalidCertificate }
    unsafe self.pointer = unsafe pointer
  }

  /// Takes over a certificate of OpenSSL.
  init(owning pointer: OpaquePointer) {
    unsafe self.pointer = unsafe pointer
  }

  /// The whole certificate as it is written.
  borrowing func der() throws(VaultCryptoError) -> [UInt8] {
    guard let der = unsafe Self.write({ unsafe i2d_X509(pointer, $0) }) else {
      throw OpenSSLLibrary.failure(.encode)
    }
    return der
  }

  /// The octets that are signed, if the certificate is exactly these octets.
  ///
  /// OpenSSL reads BER, even a SEQUENCE marked primitive, and stops at the end of the certificate.
  /// Writing it again from its parts finds other encodings and octets left over, and makes sure
  /// that what is verified is what was given. The signed part goes first: writing it is what makes
  /// OpenSSL forget the octets that it read.
  borrowing func signedPart(of der: Span<UInt8>) throws(VaultCryptoError) -> [UInt8] {
    guard let signedPart = unsafe Self.write({ unsafe i2d_re_X509_tbs(pointer, $0) }),
      let whole = unsafe Self.write({ unsafe i2d_X509(pointer, $0) }),
      whole == [UInt8](copying: der)
    else { throw .invalidCertificate }
    return signedPart
  }

  /// The subject's key.
  borrowing func publicKey() throws(VaultCryptoError) -> P256PublicKey {
    let info = unsafe Self.write { unsafe i2d_X509_PUBKEY(X509_get_X509_PUBKEY(pointer), $0) }
    guard let info else { throw .invalidCertificate }
    do { return try P256PublicKey(subjectPublicKeyInfo: info.span) } catch {
      throw .invalidCertificate
    }
  }

  /// The first second of validity.
  borrowing func notBefore() throws(VaultCryptoError) -> Int64 {
    try unsafe Self.seconds(X509_get0_notBefore(pointer))
  }

  /// The last second of validity.
  borrowing func notAfter() throws(VaultCryptoError) -> Int64 {
    try unsafe Self.seconds(X509_get0_notAfter(pointer))
  }

  /// The signature, if it is ECDSA with SHA-256 in canonical form, said so in both places.
  borrowing func signature() -> P256Signature? {
    var bits: UnsafePointer<ASN1_BIT_STRING>?
    var algorithm: UnsafePointer<X509_ALGOR>?
    unsafe X509_get0_signature(&bits, &algorithm, pointer)
    guard let bits = unsafe bits, let algorithm = unsafe algorithm,
      let inner = unsafe X509_get0_tbs_sigalg(pointer),
      unsafe X509_ALGOR_cmp(algorithm, inner) == 0,
      unsafe X509_get_signature_nid(pointer) == NID_ecdsa_with_SHA256,
      unsafe bits.pointee.flags & 7 == 0, let start = unsafe bits.pointee.data
    else { return nil }
    let octets = unsafe Span(_unsafeStart: UnsafePointer(start), count: Int(bits.pointee.length))
    return try? P256Signature(der: octets)
  }

  /// Calls a writer twice: once for the length, once for the octets.
  private static func write(
    _ writer: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
  ) -> [UInt8]? {
    let count = writer(nil)
    guard count > 0 else { return nil }
    var octets = [UInt8](repeating: 0, count: Int(count))
    let written = unsafe octets.withUnsafeMutableBufferPointer { buffer in
      var cursor = buffer.baseAddress
      return unsafe writer(&cursor)
    }
    return written == count ? octets : nil
  }

  /// Unix time of a date in one of the two forms of RFC 5280, 4.1.2.5.
  private static func seconds(
    _ time: UnsafePointer<ASN1_TIME>?
  ) throws(VaultCryptoError) -> Int64 {
    guard let time = unsafe time, let start = unsafe time.pointee.data else {
      throw .invalidCertificate
    }
    // YYMMDDHHMMSSZ or YYYYMMDDHHMMSSZ: OpenSSL takes fractions and offsets too.
    let count = Int(unsafe time.pointee.length)
    let isPlain =
      unsafe (time.pointee.type == V_ASN1_UTCTIME && count == 13)
      || (time.pointee.type == V_ASN1_GENERALIZEDTIME && count == 15)
    var fields = unsafe tm()
    guard isPlain, unsafe start[count - 1] == UInt8(ascii: "Z"),
      unsafe ASN1_TIME_to_tm(time, &fields) == 1
    else { throw .invalidCertificate }
    return Int64(unsafe timegm(&fields))
  }

  deinit {
    unsafe X509_free(pointer)
  }
}
