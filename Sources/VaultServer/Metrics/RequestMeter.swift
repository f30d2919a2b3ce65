import VaultAPI
import VaultCore

/// Counts the answers to the requests that one I/O thread reads.
///
/// Each thread has its own, so that they do not take the counters' memory from each other; the
/// answers themselves are counted by whichever thread gives them.
final class RequestMeter: Sendable {
  static let methods = VaultMethod.allCases
  static let codes = RPCErrorCode.allCases
  private static let outcomes = RequestOutcome.allCases
  private static let kinds = methods.map { kindOrder[RequestKind($0)] ?? 0 }
  private static let kindOrder = order(of: RequestKind.allCases)
  private static let outcomeOrder = order(of: outcomes)
  /// By the order of ``codes``.
  private static let outcomeOfCode = codes.map { outcomeOrder[RequestOutcome($0)] ?? 0 }

  private let answers = CounterBlock(count: (methods.count + 1) * outcomes.count)
  private let errors = CounterBlock(count: codes.count)
  private let durations = RequestKind.allCases.map { _ in Histogram(bounds: Histogram.durations) }

  /// What some meters together show.
  struct Reading: Sendable {
    /// Answers by method and outcome.
    var outcomes = [UInt64](repeating: 0, count: (methods.count + 1) * RequestMeter.outcomes.count)
    /// Answers with an error, by code.
    var codes = [UInt64](repeating: 0, count: RequestMeter.codes.count)
    /// How long answers took, by kind.
    var durations = RequestKind.allCases.map { _ in
      Histogram(bounds: Histogram.durations).reading
    }

    init(_ meters: [RequestMeter]) {
      for meter in meters {
        outcomes = zip(outcomes, meter.answers.all).map { $0 &+ $1 }
        codes = zip(codes, meter.errors.all).map { $0 &+ $1 }
        durations = zip(durations, meter.durations).map { $0 + $1.reading }
      }
    }
  }

  /// Counts the answer to a call.
  ///
  /// - Parameters:
  ///   - method: the call's method.
  ///   - code: the error that it was answered with, `nil` for none.
  ///   - watch: started when the call was decoded.
  func note(_ method: VaultMethod, _ code: RPCErrorCode?, since watch: Stopwatch) {
    let index = Self.methods.firstIndex(of: method) ?? Self.methods.count
    count(index, code)
    guard index < Self.methods.count else { return }
    durations[Self.kinds[index]].note(watch.nanoseconds)
  }

  /// Counts the answer to a line that is not carried out.
  func note(refused method: VaultMethod?, _ code: RPCErrorCode) {
    count(method.flatMap { Self.methods.firstIndex(of: $0) } ?? Self.methods.count, code)
  }

  private func count(_ method: Int, _ code: RPCErrorCode?) {
    var outcome = 0
    if let code, let index = Self.codes.firstIndex(of: code) {
      outcome = Self.outcomeOfCode[index]
      errors.add(1, at: index)
    }
    answers.add(1, at: method * Self.outcomes.count + outcome)
  }

  private static func order<Word: Hashable>(of words: [Word]) -> [Word: Int] {
    Dictionary(words.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }
}
