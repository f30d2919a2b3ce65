/// The system calls a connection is made of, by the name their manual pages have.
public enum SystemCall: String, Hashable, Sendable {
  case socket, connect, poll, send, recv
}
