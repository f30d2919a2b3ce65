// A daemon around the scripted service, for tests that need a process of its own.
// usage: server-test-daemon RUNTIME|--activated [CONFIG]
import Glibc
import ProcessHardening
import VaultServer
import VaultServerTestSupport

do {
  try ProcessHardening.apply(keepsInput: false)
  let arguments = CommandLine.arguments.dropFirst()
  let configuration =
    try arguments.dropFirst().first.map { try ConfigurationFile.read(path: $0) } ?? Configuration()
  let activated = try SocketActivation.take()
  let sockets = try activated ?? ListeningSocket.open(runtime: arguments.first ?? "")
  let signals = try StopSignals()
  let server = try Server(
    configuration: configuration, sockets: sockets, service: ScriptedService(),
    admission: Admission(configuration))
  try server.run(until: signals, notifier: ServiceNotifier())
  print("ended in order: \(server.statistics.requests) requests")
} catch {
  StandardErrorLog.write(.error, "\(error)")
  exit(70)
}
