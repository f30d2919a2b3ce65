/// What the daemon's command line says.
struct DaemonOptions {
  /// The data directory.
  var data = ""
  /// The directory of the sockets.
  var runtime = "/run/latchkey"
  /// The configuration file.
  var configuration: String?
  /// The key file to unseal with at the start.
  var keyFile: String?
  /// The systemd credential to unseal with at the start.
  var credential: String?
  /// Whether running as root is meant.
  var allowsRoot = false
}
