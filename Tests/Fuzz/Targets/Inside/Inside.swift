extension FuzzTarget {
  /// The targets that use what their module keeps to itself.
  ///
  /// Debug builds and `tools/fuzz` permit that; a plain release build does not, and has none of them.
  static let inside: [FuzzTarget] = {
    #if DEBUG || LIBFUZZER
      [
        cbor, aliroCertificate, aliroCommand, aliroMessage, aliroExchange, aliroEnvelope,
        aliroRequest, aliroElement, aliroObject, slot, record, auditSegment, auditVerifier,
        auditStatement,
      ]
    #else
      []
    #endif
  }()
}
