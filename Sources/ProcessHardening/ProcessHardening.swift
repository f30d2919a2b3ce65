import CVaultSystem
import Glibc

/// Makes a process fit to hold secrets; done first thing, before there are threads or files.
package enum ProcessHardening {
  /// Closes the ways by which others could read the process's memory or meddle with its files.
  ///
  /// Afterwards there is no core file, no crash report and no attaching by the same user, new files
  /// are for the user alone, descriptors that were inherited by mistake do not reach children, the
  /// three standard descriptors are open, and writing to a closed pipe or beyond the limit on file
  /// sizes is an error instead of the end.
  ///
  /// - Parameter keepsInput: whether standard input stays what it is instead of `/dev/null`; a
  ///   command-line tool wants it, a daemon does not. Writing to a standard output that was closed
  ///   then fails, as its result would be lost.
  /// - Throws: ``HardeningError/system(call:reason:)``.
  package static func apply(keepsInput: Bool) throws(HardeningError) {
    let failure = vault_harden_process()
    guard failure == 0 else { throw .system(call: "prctl", failure) }
    umask(0o077)
    vault_ignore_write_signals()
    disableCrashReporter()
    try openStandardDescriptors(keepsInput: keepsInput)
    // Passed descriptors (socket activation) are still usable here, only not by children.
    let result = vault_close_on_exec_from(3)
    guard result == 0 else { throw .system(call: "close_range", result) }
  }

  /// Gives the signals of a crash their usual effect.
  ///
  /// The Swift runtime may have caught them, SIGQUIT included: it then starts another program that
  /// reads the memory of this one and prints it.
  private static func disableCrashReporter() {
    var crashes = sigset_t()
    unsafe sigemptyset(&crashes)
    for number in [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] {
      var action = sigaction()
      unsafe sigaction(number, &action, nil)
      unsafe sigaddset(&crashes, number)
    }
    // Whoever started the process may have had them blocked.
    unsafe pthread_sigmask(SIG_UNBLOCK, &crashes, nil)
  }

  /// Refuses to run as root, whom no file permission holds back.
  ///
  /// - Parameter isAllowed: whether the operator has said that root is meant.
  /// - Throws: ``HardeningError/runsAsRoot``.
  package static func refuseRoot(unless isAllowed: Bool) throws(HardeningError) {
    guard geteuid() != 0 || isAllowed else { throw .runsAsRoot }
  }

  /// Makes sure that so much memory can be locked.
  ///
  /// - Parameter needed: in bytes, everything the process will lock.
  /// - Throws: ``HardeningError/lockedMemory(needed:limit:)``.
  package static func requireLockedMemory(_ needed: Int) throws(HardeningError) {
    let limit = vault_memlock_limit()
    guard limit >= 0, limit < Int64(needed) else { return }
    throw .lockedMemory(needed: needed, limit: Int(limit))
  }

  /// A descriptor 0, 1 or 2 that is closed would be given to the next file opened, and messages
  /// would be written into it.
  private static func openStandardDescriptors(keepsInput: Bool) throws(HardeningError) {
    for descriptor in STDIN_FILENO...STDERR_FILENO {
      let isOpen = fcntl(descriptor, F_GETFD) >= 0
      guard !isOpen || (descriptor == STDIN_FILENO && !keepsInput) else { continue }
      let isResult = descriptor == STDOUT_FILENO && keepsInput
      let null = unsafe open("/dev/null", isResult ? O_RDONLY : O_RDWR)
      guard null >= 0 else { throw .system(call: "open /dev/null", errno) }
      guard null != descriptor else { continue }
      let isMoved = dup2(null, descriptor) == descriptor
      let problem = errno
      close(null)
      guard isMoved else { throw .system(call: "dup2", problem) }
    }
  }
}
