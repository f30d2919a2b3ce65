import Foundation
import SecureMemory
import Testing

@testable import vaultctl

@Suite struct SecretTests {
  private func checked(_ octets: [UInt8]) -> Result<[UInt8], CommandFailure> {
    do {
      let secret = try PassphraseReader.checked(try SecretBytes(copying: octets.span))
      return .success(secret.withBytes { bytes in bytes.indices.map { bytes[$0] } })
    } catch let failure as CommandFailure {
      return .failure(failure)
    } catch {
      return .failure(CommandFailure(.failure, "\(error)"))
    }
  }

  /// Gives a descriptor octets to read.
  private func read(_ octets: [UInt8]) throws -> Result<[UInt8], CommandFailure> {
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data(octets))
    try pipe.fileHandleForWriting.close()
    do throws(CommandFailure) {
      let secret = try PassphraseReader.read(pipe.fileHandleForReading.fileDescriptor, "")
      return .success(secret.withBytes { bytes in bytes.indices.map { bytes[$0] } })
    } catch {
      return .failure(error)
    }
  }

  @Test func `one line feed at the end is cut, and nothing else`() {
    #expect(checked(Array("a b\n".utf8)) == .success(Array("a b".utf8)))
    #expect(checked(Array(" ab ".utf8)) == .success(Array(" ab ".utf8)))
    #expect(checked(Array("ab\r\n".utf8)) == .success(Array("ab\r".utf8)))
    #expect(checked(Array("ab\n\n".utf8)) == .failure(refusal("more than one line or a zero byte")))
  }

  @Test(arguments: [
    ([], "is empty"), ([0x0A], "is empty"),
    ([0x61, 0x00], "has more than one line or a zero byte"), ([0x61, 0xFF], "is not UTF-8"),
    ([0xC3], "is not UTF-8"), ([0xED, 0xA0, 0x80], "is not UTF-8"), ([0xC0, 0x80], "is not UTF-8"),
  ])
  func `what cannot travel is refused`(_ octets: [UInt8], _ words: String) {
    guard case .failure(let failure) = checked(octets) else {
      Issue.record("accepted")
      return
    }
    #expect(failure.code == .badData)
    #expect(failure.message == "the passphrase \(words)")
  }

  @Test func `1024 bytes are a passphrase, 1025 are none`() throws {
    let longest = [UInt8](repeating: 0x78, count: 1024)
    let tooLong = CommandFailure(.badData, "the passphrase has more than 1024 bytes")
    #expect(try read(longest) == .success(longest))
    #expect(try read(longest + [0x0A]) == .success(longest))
    #expect(try read(longest + [0x78]) == .failure(tooLong))
    #expect(try read(longest + [0x78, 0x0A]) == .failure(tooLong))
    #expect(try read(longest + longest) == .failure(tooLong))
    #expect(try read([]) == .failure(CommandFailure(.badData, "the passphrase is empty")))
  }

  @Test func `an account is a user or group of this machine, or a number`() throws {
    #expect(try AdminAccount("root").policyText == "user:0")
    #expect(try AdminAccount("user:root").policyText == "user:0")
    #expect(try AdminAccount("group:root").policyText == "group:0")
    #expect(try AdminAccount("user:4711").policyText == "user:4711")
    #expect(try AdminAccount("group:root").description == "group root (gid 0)")
    for text in [
      "", "user:", "group:nobody-of-that-name", "nobody-of-that-name", "root:user", "a:b:c",
      "4294967295", "99999999999", "+1", "-1", "nobody", "65534",
    ] {
      #expect(throws: CommandFailure.self, "\(text)") { try AdminAccount(text) }
    }
  }

  private func refusal(_ words: String) -> CommandFailure {
    CommandFailure(.badData, "the passphrase has \(words)")
  }
}
