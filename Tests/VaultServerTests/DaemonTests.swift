import Foundation
import Glibc
import Testing

/// The shell of vaultd: its words and its exit status.
@Suite struct DaemonTests {
  private func vaultd(_ arguments: String...) throws -> (
    status: Int32, output: String, errors: String
  ) {
    try Script(program: Script.built("vaultd"), arguments).run()
  }

  @Test func `prints help and version`() throws {
    let help = try vaultd("--help")
    #expect(help.status == 0)
    #expect(help.output.hasPrefix("vaultd: "))
    #expect(try vaultd("--version").output.hasPrefix("vaultd "))
  }

  @Test func `tells wrong command lines apart from wrong surroundings`() throws {
    let directory = try TemporaryDirectory()
    let config = directory.path + "/bad.conf"
    try Data("rate = many\n".utf8).write(to: URL(filePath: config))
    let data = "--data=\(directory.path)/data"

    let nothing = try vaultd()
    #expect(nothing.status == 64)
    #expect(nothing.errors == "vaultd: --data DIR is missing; see vaultd --help\n")
    #expect(try vaultd(data, "--key-file=a", "--credential=b").status == 64)
    #expect(try vaultd(data, "--key-fil=a").errors.contains("did you mean --key-file?"))

    let bad = try vaultd(data, "--config=\(config)", "--allow-root")
    #expect(bad.status == 78)
    #expect(bad.errors == "vaultd: \(config):1: rate: \"many\" is not a whole number\n")

    #expect(try vaultd(data, "--allow-root").status == 66)
  }

  @Test(.enabled(if: geteuid() == 0)) func `refuses to run as root unless told`() throws {
    let refused = try vaultd("--data=/nowhere", "--runtime=/nowhere")
    #expect(refused.status == 77)
    #expect(refused.errors.contains("--allow-root"))
  }
}
