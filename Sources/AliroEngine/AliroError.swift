/// What can go wrong outside a running presentation.
///
/// Inside one nothing is thrown: every answer of ``AliroPresentation`` is a ``PresentationStep``.
public enum AliroError: Error, Hashable, Sendable {
  /// A pass is refused as a whole because of one field, named as on the wire, such as
  /// `reader_groups[1].issuer_ca_certificate_der`.
  case pass(field: String, flaw: PassFlaw)
  /// The stored form of a pass is damaged at this offset.
  case storedPass(offset: Int)
  /// A presentation cannot be made with this parameter, named as on the wire.
  case parameter(String)
  /// A key or its memory is not to be had; the refusal is what the caller of a presentation sees.
  case refused(Refusal)
}
