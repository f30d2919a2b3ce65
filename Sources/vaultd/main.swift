import Glibc
import VaultServer

var options = DaemonOptions()
var rest = CommandLine.arguments.dropFirst()
while let word = rest.popFirst() {
  switch word {
  case "--data": options.data = rest.popFirst() ?? ""
  case "--runtime": options.runtime = rest.popFirst() ?? ""
  case "--config": options.configuration = rest.popFirst()
  case "--key-file": options.keyFile = rest.popFirst()
  case "--credential": options.credential = rest.popFirst()
  case "--allow-root": options.allowsRoot = true
  default: exit(64)
  }
}
do {
  try Daemon(options: options).run()
} catch {
  StandardErrorLog.write(.error, "vaultd: \(error.message)")
  exit(error.status.rawValue)
}
