import CommandLineOptions
import ProcessHardening
import VaultServer

/// What the daemon's exit status means; the numbers are those of sysexits.h.
enum ExitStatus: Int32 {
  case success = 0
  case usage = 64
  case data = 65
  case noInput = 66
  case unavailable = 69
  case software = 70
  case system = 71
  case cannotCreate = 73
  case temporary = 75
  case noPermission = 77
  case configuration = 78

  /// The table of the help.
  static let table = """
      0   ended in order
     64   the command line is wrong
     65   the vault is damaged
     66   the data directory or the key file is not there
     69   a socket's path is taken
     70   an error inside the daemon
     71   the system refused something (locked memory, descriptors, threads)
     73   the runtime directory is not safe
     75   another daemon serves the data directory
     77   refused to run as root, or the key opens no slot
     78   the configuration file is wrong
    """

  /// The status for an error.
  init(_ error: any Error) {
    self =
      switch error {
      case let failure as DaemonFailure: failure.status
      case is CommandLineError: .usage
      case is ConfigurationError: .configuration
      case HardeningError.runsAsRoot: .noPermission
      case is HardeningError: .system
      case ServerError.pathTaken: .unavailable
      case ServerError.unsafeDirectory, ServerError.pathTooLong: .cannotCreate
      case ServerError.badActivation: .configuration
      case ServerError.system, ServerError.noLockedMemory: .system
      default: .software
      }
  }
}
