/// What one call of ``AliroPresentation`` leads to.
public struct PresentationStep: Hashable, Sendable {
  /// The messages to send to the reader, in this order, one each service data unit.
  public let messages: [[UInt8]]
  /// What happened, in order.
  public let events: [PresentationEvent]
  /// Where the presentation stands now.
  public let state: PresentationState
  /// The status word of the answer in ``messages``, when there is one.
  public let statusWord: UInt16?
  /// Why this step failed, when it did.
  public let refusal: Refusal?
}
