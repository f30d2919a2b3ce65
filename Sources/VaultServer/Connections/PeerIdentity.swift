import AccessPolicy
import CVaultSystem
import Glibc
import VaultCore

/// Asks the kernel who is at the other end of a socket.
enum PeerIdentity {
  /// Why a peer has no identity to go by.
  enum Failure: Error, Hashable {
    /// The kernel did not answer.
    case unknown(errno: Int32)
    /// The peer's user has no number in this user namespace.
    case unmappedUser
    /// The peer's process has no number in this process namespace.
    case unmappedProcess
    /// There was no descriptor or memory left to ask with.
    case shortage(errno: Int32)
  }

  /// The user who connected a socket, which is quickly asked; `nil` when the kernel does not say.
  static func user(of socket: Int32) -> uid_t? {
    var peer = vault_sender()
    return unsafe vault_peer(socket, &peer) == 0 ? peer.uid : nil
  }

  /// Identifies who connected a socket.
  ///
  /// - Returns: the caller, and its process to be watched as long as the connection lasts.
  /// - Throws: ``Failure`` when there is nothing, or too little, to go by.
  static func peer(
    of socket: Int32
  ) throws(Failure) -> (caller: Caller, process: PeerProcess) {
    var peer = vault_sender()
    let failure = unsafe vault_peer(socket, &peer)
    guard failure == 0 else { throw .unknown(errno: failure) }
    guard peer.uid != SystemAccounts.overflowUser, peer.uid != uid_t.max else {
      throw .unmappedUser
    }
    guard peer.pid > 0 else { throw .unmappedProcess }
    let groups = try supplementaryGroups(of: socket)
    let process = try PeerProcess(of: socket)
    let unit = try process.unit(pid: peer.pid)
    let caller = Caller(
      uid: peer.uid, gid: peer.gid, groups: groups, pid: peer.pid, unit: unit)
    return (caller, process)
  }

  private static func supplementaryGroups(of socket: Int32) throws(Failure) -> [gid_t] {
    var groups = [gid_t](repeating: 0, count: 64)
    while true {
      let capacity = Int32(groups.count)
      let count = unsafe vault_peer_groups(socket, &groups, capacity)
      guard count >= 0 else { throw .unknown(errno: -count) }
      if count <= capacity { return Array(groups.prefix(Int(count))) }
      // They belong to the connector at the time of connecting, so the size holds now.
      groups = [gid_t](repeating: 0, count: Int(count))
    }
  }
}
