import Foundation
import Glibc
import Testing

@testable import VaultCore

/// The accounts of this machine, compared with its own files.
@Suite struct SystemAccountsTests {
  private let accounts = SystemAccounts()

  /// The entries of a file such as `/etc/passwd`.
  private func entries(_ file: String) throws -> [[String]] {
    try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map {
      $0.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    }
  }

  @Test func `who has an account can connect, but the user of other user namespaces`() throws {
    let numbers = try entries("/etc/passwd").compactMap { UInt32($0[2]) }
    let overflow = try String(contentsOfFile: "/proc/sys/kernel/overflowuid", encoding: .utf8)
    #expect(SystemAccounts.overflowUser == UInt32(overflow.dropLast()))
    for number in numbers {
      #expect(accounts.canConnect(user: number) == (number != SystemAccounts.overflowUser))
    }
    for number: UInt32 in [4_000_000, .max] { #expect(!accounts.canConnect(user: number)) }
  }

  @Test func `a group has the members it lists, and those whose own it is`() throws {
    let users = try entries("/etc/passwd").filter { UInt32($0[2]) != SystemAccounts.overflowUser }
    for group in try entries("/etc/group") {
      let number = try #require(UInt32(group[2]))
      let listed = group[3].split(separator: ",").map(String.init)
      let hasMember = users.contains { listed.contains($0[0]) || UInt32($0[3]) == number }
      #expect(accounts.hasMember(group: number) == hasMember, "\(group[0])")
    }
    #expect(!accounts.hasMember(group: 4_000_000))
  }
}
