import CommandLineOptions
import Glibc
import VaultCore
import VaultServer

do {
  switch try DaemonOptions.command.parse(Array(CommandLine.arguments.dropFirst())) {
  case .help(let text): print(text, terminator: "")
  case .version: print("vaultd \(Version.current)")
  case .run(let parsed): try Daemon.run(DaemonOptions(parsed))
  }
} catch {
  StandardErrorLog.write(.error, "vaultd: \(error)")
  exit(ExitStatus(error).rawValue)
}
