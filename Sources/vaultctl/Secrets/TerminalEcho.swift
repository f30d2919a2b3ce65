import Glibc

/// A terminal whose echo is off.
struct TerminalEcho {
  private let terminal: Int32
  private let saved: termios

  /// Switches the echo off; what was typed ahead, and so has been shown, is dropped.
  init(off terminal: Int32) throws(CommandFailure) {
    self.terminal = terminal
    var state = termios()
    guard unsafe tcgetattr(terminal, &state) == 0 else {
      throw CommandFailure(.failure, "the terminal cannot be set: \(systemMessage(errno))")
    }
    saved = state
    state.c_lflag &= ~tcflag_t(ECHO | ECHOE | ECHOK | ECHONL)
    // Whole lines, and the keys that send signals, as people are used to.
    state.c_lflag |= tcflag_t(ICANON | ISIG)
    guard unsafe tcsetattr(terminal, TCSAFLUSH, &state) == 0 else {
      throw CommandFailure(.failure, "the echo cannot be switched off: \(systemMessage(errno))")
    }
  }

  /// Puts the terminal back as it was.
  func restore() {
    var state = saved
    while unsafe tcsetattr(terminal, TCSAFLUSH, &state) != 0 && errno == EINTR {}
  }
}
