import Glibc

/// The crash reporter of the Swift runtime, which has no place where secrets are.
enum CrashReporter {
  /// Gives the signals of a crash their usual effect.
  ///
  /// On a terminal the runtime catches them, SIGQUIT included, and starts another program that reads
  /// the memory of this one and prints it.
  static func disable() {
    for number in [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] {
      var action = sigaction()
      unsafe sigaction(number, &action, nil)
    }
  }
}
