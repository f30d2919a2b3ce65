import Foundation
import Testing

@testable import vaultctl

@Suite struct ScenarioTests {
  @Test(arguments: Scenario.all)
  func `goes as the file tells`(_ scenario: Scenario) throws {
    let directory = try TemporaryDirectory()
    for (name, content) in scenario.files {
      try FileManager.default.createDirectory(
        atPath: (directory.file(name) as NSString).deletingLastPathComponent,
        withIntermediateDirectories: true)
      try content.write(toFile: directory.file(name), atomically: false, encoding: .utf8)
    }
    for step in scenario.steps { try check(step, directory) }
  }

  @Test func `every scenario file can be read`() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Scenario.folder.path)
    #expect(Set(Scenario.all.map(\.name)) == Set(names.filter { $0.hasSuffix(".txt") }))
    #expect(Scenario.all.count >= 18)
  }

  @Test func `every command is shown to succeed and to fail`() {
    let steps = Scenario.all.flatMap(\.steps)
    for verb in VerbTable.verbs {
      let own = steps.filter {
        ShellWords.split($0.command).starts(with: verb.path) && !$0.command.contains("--help")
      }
      // No file can foretell what a simulation's keys come to, or be an editor: DaemonTests and
      // PolicyEditTests have their success.
      let isElsewhere = ["present", "policy edit"].contains(verb.name)
      #expect(own.contains { $0.exit == 0 } || isElsewhere, "\(verb.name)")
      #expect(own.contains { $0.exit != 0 }, "\(verb.name)")
    }
  }

  private func check(_ step: Scenario.Step, _ directory: TemporaryDirectory) throws {
    // Made anew for each step, so that a socket of the step before is not in the way.
    let runtime = directory.file("run")
    try? FileManager.default.removeItem(atPath: runtime)
    let vault = try FakeVault(runtime: runtime, script: step.script)
    var line = step.command.replacingOccurrences(of: "$DIR", with: directory.path)
    let isNamed = line.contains("--runtime") || line.contains("--socket")
    if !isNamed && !line.hasPrefix(" init") {
      line = " --runtime \(runtime)" + line
    }
    let outcome = try Vaultctl.run(
      ShellWords.split(line), stdin: Data(step.stdin.utf8), in: directory.path)
    #expect(vault.stop() == [], "\(step.command)")
    #expect(Pattern.matches(step.stdout, seen(outcome.text, directory)), "\(step.command)")
    #expect(Pattern.matches(step.stderr, seen(outcome.stderr, directory)), "\(step.command)")
    #expect(outcome.exit == step.exit, "\(step.command)")
  }

  private func seen(_ text: String, _ directory: TemporaryDirectory) -> String {
    text.replacingOccurrences(of: directory.path, with: "$DIR")
  }
}
