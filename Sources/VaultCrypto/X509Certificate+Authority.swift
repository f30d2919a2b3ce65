import COpenSSL

extension X509Certificate {
  /// Makes the certificate of an authority, signed with its own key (RFC 5280).
  ///
  /// - Parameters:
  ///   - key: the key that is certified, and signs.
  ///   - name: its common name, 1 to 64 characters.
  ///   - notBefore: the first second of validity, Unix time.
  ///   - notAfter: the last second of validity, Unix time.
  /// - Throws: ``VaultCryptoError/invalidCertificate`` for dates the wrong way round,
  ///   ``VaultCryptoError/libraryFailure(_:)`` for another name, or
  ///   ``VaultCryptoError/memoryExhausted``.
  package init(
    authority key: P256PrivateKey, name: String, notBefore: Int64, notAfter: Int64
  ) throws(VaultCryptoError) {
    defer { StackWipe.afterPublicKeyOperation() }
    let name = Array(name.utf8)
    let made = unsafe name.span.withOctets { octets, count in
      unsafe latchkey_x509_authority(
        key.key.pointer, octets, Int32(clamping: count), time_t(notBefore), time_t(notAfter))
    }
    guard let made = unsafe made else { throw OpenSSLLibrary.failure(.encode) }
    let der = try unsafe ParsedCertificate(owning: made).der()
    try self.init(der: der.span)
  }
}
