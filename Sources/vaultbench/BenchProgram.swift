import CommandLineOptions
import VaultCore

/// The program from its words to its exit status.
enum BenchProgram {
  /// Runs.
  ///
  /// - Parameter words: the command line without the name of the program.
  /// - Returns: the exit status.
  static func run(_ words: [String]) -> Int32 {
    do {
      // The program starts itself for what needs a process of its own.
      switch words.first {
      case RawLoop.word: try RawLoop.serve()
      case FloodClient.word: try FloodClient(Array(words.dropFirst())).run()
      default: try measure(words)
      }
      return 0
    } catch let error as CommandLineError {
      StandardStream.note("vaultbench: \(error); see vaultbench --help")
      return 64
    } catch {
      StandardStream.note("vaultbench: \(error)")
      return 1
    }
  }

  private static func measure(_ words: [String]) throws {
    switch try BenchOptions.command.parse(words) {
    case .help(let text): StandardStream.write(text)
    case .version: StandardStream.write("vaultbench \(Version.current)\n")
    case .run(let parsed):
      Interruption.watch()
      let options = BenchOptions(parsed)
      let report = try Bench(options).run()
      StandardStream.write(options.isJSON ? report.json : report.table)
    }
  }
}
