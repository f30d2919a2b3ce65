import Foundation
import Glibc
import Testing

/// `vaultbench` measures everything it lists; what it measures is no matter for a test.
@Suite struct BenchTests {
  private struct Report: Decodable {
    struct Figure: Decodable {
      let name: String
      let title: String
      let value: Double
      let unit: String
      let at_most: Double?
      let at_least: Double?
      let ok: Bool?
    }

    struct Skipped: Decodable {
      let section: String
      let reason: String
    }

    let quick: Bool
    let cores: Int
    let namespaces: Int
    let figures: [Figure]
    let skipped: [Skipped]
  }

  /// The figures of the design that have a target, by part.
  private static let targets: [String: Set<String>] = [
    "signing": ["sign_cpu", "sign_cpu_relaxed", "sign_rate_ratio"],
    "idle": ["idle_relaxed_ratio", "idle_durable_ratio"],
    "presentation": ["presentation", "presentation_abreast"],
    "scale": [
      "cold_ratio", "cold_cpu_ratio", "start_small", "start_large", "memory_small", "memory_large",
    ],
    "flood": ["flood_taken"],
  ]

  @Test func `a quick run measures every figure and leaves nothing behind`() throws {
    let directory = try TemporaryDirectory()
    let outcome = try Program(
      BuiltProducts.vaultbench, ["--quick", "--json", "--directory", directory.path]
    ).run()
    try #require(outcome.isGood, "\(outcome.errors)")
    let report = try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8))
    #expect(report.quick && report.cores > 0 && report.namespaces == 200)
    #expect(report.skipped.map(\.section) == (geteuid() == 0 ? [] : ["flood"]))
    var expected = Self.targets
    for section in report.skipped { expected[section.section] = nil }
    let withTarget = report.figures.filter { $0.ok != nil }
    #expect(Set(withTarget.map(\.name)) == expected.values.reduce(into: []) { $0.formUnion($1) })
    #expect(Set(report.figures.map(\.name)).count == report.figures.count)
    for figure in report.figures where figure.name != "idle_durable_ratio" {
      #expect(figure.value > 0 && !figure.title.isEmpty, "\(figure)")
    }
    for figure in withTarget {
      let isGood =
        figure.at_most.map { figure.value <= $0 } ?? figure.at_least.map { figure.value >= $0 }
      #expect(figure.ok == isGood, "\(figure)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
  }

  @Test func `people get a table, and the manual page has every option and part`() throws {
    let run = try Program(BuiltProducts.vaultbench, ["--quick", "--section", "signing"]).run()
    try #require(run.isGood, "\(run.errors)")
    let lines = run.output.split(separator: "\n")
    #expect(lines.dropFirst().first?.hasPrefix("FIGURE") == true)
    #expect(lines.contains { $0.hasPrefix("durable rate / relaxed rate") })

    let help = try Program(BuiltProducts.vaultbench, ["--help"]).run().output
    let page = try String(
      contentsOf: BuiltProducts.root.appending(path: "tools/man/vaultbench.1"), encoding: .utf8)
    for word in help.split(whereSeparator: \.isWhitespace) where word.hasPrefix("--") {
      let name = word.drop { $0 == "-" }.prefix { $0.isLetter || $0 == "-" }
      #expect(page.contains("Fl -\(name)"), "\(name)")
    }
    for section in Self.targets.keys { #expect(page.contains("\n.It Cm \(section)\n")) }
  }

  @Test func `says what is missing`() throws {
    let outcome = try Program(
      BuiltProducts.vaultbench, ["--quick", "--binaries", "/nonexistent"]
    ).run()
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("/nonexistent/vaultd: No such file or directory"))
    let wrong = try Program(BuiltProducts.vaultbench, ["--section", "everything"]).run()
    #expect(wrong.status == 64)
  }
}
