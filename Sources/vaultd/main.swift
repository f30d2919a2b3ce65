import CommandLineOptions
import Glibc
import VaultCore
import VaultServer

do throws(DaemonFailure) {
  switch try DaemonOptions.parse(Array(CommandLine.arguments.dropFirst())) {
  case .help(let text): print(text, terminator: "")
  case .version: print("vaultd \(Version.current)")
  case .run(let parsed): try Daemon(options: DaemonOptions.read(parsed)).run()
  }
} catch {
  StandardErrorLog.write(.error, "vaultd: \(error.message)")
  exit(error.status.rawValue)
}
