import SecureMemory
import VaultAPI
import WireCoding

extension ResultSample {
  private static let event = "open_0123456789abcdef0123456789abcdef"
  private static let request = "req_0123456789abcdef0123456789abcdef"
  private static let key = "biqli_mobile_pk_" + String(repeating: "k", count: 64)
  private static let made = Timestamp(clamping: 1_768_465_800)

  private static func box(_ text: String) -> SecretBox {
    do { return SecretBox(try SecretBytes(copying: text.utf8.span)) } catch {
      preconditionFailure("\(error)")
    }
  }

  static let biqli: [ResultSample] = [
    ResultSample(
      method: .biqliOpen,
      result: BiqliOpenResult(opening: .keyReplaced, publishableKey: key, seq: 1)),
    ResultSample(
      method: .biqliOpen, result: BiqliOpenResult(opening: .created, seq: 1), isFull: false),
    ResultSample(
      method: .biqliInstance,
      result: BiqliInstanceResult(
        instanceID: "install_0123456789abcdef0123456789abcdef", seq: 2)),
    ResultSample(method: .biqliCapture, result: BiqliCaptureResult(replaced: false, seq: 3)),
    ResultSample(
      method: .biqliBegin,
      secret: BiqliBeginResult(
        beginning: .consentWithdrawn, eventID: event, requestID: request,
        body: box(#"{"eventId":"\#(event)"}"#), publishableKey: key, attempts: 1, made: made,
        seq: 4)),
    ResultSample(
      method: .biqliBegin,
      secret: BiqliBeginResult(
        beginning: .resumed, eventID: event, requestID: request, body: box("{}"),
        attempts: 4_294_967_295, made: made, seq: 4), isFull: false),
    ResultSample(
      method: .biqliComplete,
      secret: BiqliCompleteResult(
        outcome: .matched,
        receipt: try? SecretBox(SecretBytes(copying: [0x72, 0x22].span)), seq: 5)),
    ResultSample(
      method: .biqliComplete, secret: BiqliCompleteResult(outcome: .stale, seq: 5), isFull: false),
    ResultSample(method: .biqliFail, result: BiqliFailResult(outcome: .kept, seq: 6)),
    ResultSample(
      method: .biqliCached, result: BiqliCachedResult(result: #"{"metadata":1.5}"#, seq: 7)),
    ResultSample(method: .biqliCached, result: BiqliCachedResult(seq: 7), isFull: false),
    ResultSample(
      method: .biqliWindow, result: BiqliWindowResult(isOpen: true, until: made, seq: 8)),
    ResultSample(
      method: .biqliWindow, result: BiqliWindowResult(isOpen: false, seq: 8), isFull: false),
    ResultSample(method: .biqliReset, result: BiqliResetResult(wasThere: true, seq: 9)),
    ResultSample(
      method: .biqliPending,
      result: BiqliPendingResult(
        isPending: true, eventID: event, requestID: request, made: made, age: 0, attempts: 1,
        seq: 10)),
    ResultSample(
      method: .biqliPending, result: BiqliPendingResult(isPending: false, seq: 10), isFull: false),
    ResultSample(method: .biqliDrop, result: BiqliDropResult(dropped: true, seq: 11)),
  ]
}
