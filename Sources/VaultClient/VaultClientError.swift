public import SecureMemory
public import VaultAPI

/// Why a call did not end with a result.
public enum VaultClientError: Error, Hashable, Sendable {
  /// The path of the socket is empty, has a zero byte, or is longer than `limit` octets.
  case invalidPath(limit: Int)
  /// Nobody listens there: there is no socket, or its server has gone. Start `vaultd`.
  case notRunning(errno: Int32)
  /// The permissions of the path do not let this user reach the socket.
  case refused(errno: Int32)
  /// A system call failed for another reason.
  case system(SystemCall, errno: Int32)
  /// The time for the call was over; whether it took effect is not known once it was sent.
  case timedOut(CallPhase)
  /// The server closed the connection without an answer.
  case closed
  /// The answer is longer than `limit` octets; the connection cannot be used any more.
  case answerTooLong(limit: Int)
  /// What came is not the answer to the request; the connection cannot be used any more.
  case malformedAnswer
  /// The call does not fit a line of the protocol, `limit` octets.
  case requestTooLong(limit: Int)
  /// No locked memory was left to write a secret into.
  case secretMemory(SecureMemoryError)
  /// The server understood the call and refused it.
  case server(ServerFailure)
}
