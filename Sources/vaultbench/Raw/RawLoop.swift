/// Runs operations of OpenSSL as often as they fit into a time, in a process of its own: what else
/// the measuring program uses OpenSSL for would change how OpenSSL allocates.
enum RawLoop {
  /// The word that starts the program as this loop.
  static let word = "raw-loop"

  /// What an operation costs, in nanoseconds.
  struct Cost {
    /// Processor time.
    let processor: Double
    /// Time on the clock.
    let clock: Double
  }

  /// Answers lines of an operation and milliseconds with what it costs, until there are no more.
  static func serve() throws(BenchFailure) {
    let primitives = try RawPrimitives()
    while let line = readLine() {
      let words = line.split(separator: " ")
      guard words.count == 2, let operation = RawOperation(rawValue: String(words[0])),
        let milliseconds = Double(words[1])
      else { throw BenchFailure("the raw loop does not know \"\(line)\"") }
      let cost = try measure(operation, milliseconds, primitives)
      StandardStream.write("\(cost.processor) \(cost.clock)\n")
    }
  }

  private static func measure(
    _ operation: RawOperation, _ milliseconds: Double, _ primitives: RawPrimitives
  ) throws(BenchFailure) -> Cost {
    let (processor, clock) = (Moment.threadTime, Moment.now)
    var count = 0.0
    repeat {
      for _ in 0..<16 { try primitives.carryOut(operation) }
      count += 16
    } while clock.elapsed < milliseconds * 1e6
    return Cost(
      processor: (Moment.threadTime - processor) / count, clock: clock.elapsed / count)
  }
}

/// The other end of a ``RawLoop``.
final class RawMeasure {
  private let process: ChildProcess

  init(_ programs: Programs, errors: String) throws(BenchFailure) {
    process = try ChildProcess(programs.own, [RawLoop.word], errors: errors)
  }

  /// What an operation costs now.
  func cost(
    of operation: RawOperation, milliseconds: Int
  ) throws(BenchFailure) -> RawLoop.Cost {
    try process.send("\(operation.rawValue) \(milliseconds)")
    let numbers = try process.line().split(separator: " ").compactMap { Double($0) }
    guard numbers.count == 2 else { throw process.failure }
    return RawLoop.Cost(processor: numbers[0], clock: numbers[1])
  }
}
