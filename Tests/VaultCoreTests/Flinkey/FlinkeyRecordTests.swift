import FlinkeyEngine
import SecureMemory
import Testing

@testable import VaultCore

@Suite struct FlinkeyRecordTests {
  private let lease = FlinkeyLease(
    id: [UInt8](1...16), step: .idToken, uid: 1200, begun: 1_700_000_540,
    expires: 1_700_000_600, input: [UInt8](1...32))

  private func octets(_ secret: borrowing SecretBytes) -> [UInt8] {
    secret.withBytes { octets in octets.indices.map { octets[$0] } }
  }

  private func secret(_ octets: [UInt8]) throws -> SecretBytes {
    try SecretBytes(copying: octets.span)
  }

  private func token(_ text: String) throws -> FlinkeyToken {
    FlinkeyToken(secret: try held(text), expires: 1_700_003_600)
  }

  private func users() throws -> [FlinkeyUser] {
    var full = FlinkeyUser()
    full.box = try FlinkeyBoxID("C1-08-F0-94")
    full.idToken = try token("id")
    full.tapkeyToken = try token(String(repeating: "t", count: 8192))
    full.tapkeyUser = "ip:wma:7"
    full.lease = lease
    var blocked = FlinkeyUser()
    blocked.block(.exchangeRefused)
    return [FlinkeyUser(), full, blocked]
  }

  private func tenants() throws -> [FlinkeyTenant] {
    let plain = FlinkeyTenant(try FlinkeyTestCalls.credentials())
    var full = plain
    full.apiToken = try token("api")
    full.lease = FlinkeyLease(
      id: lease.id, step: .apiToken, uid: 1200, begun: lease.begun, expires: lease.expires,
      input: [])
    return [plain, full]
  }

  @Test func `a record reads back as it was written`() throws {
    for user in try users() {
      let content = try user.encode()
      let again = try FlinkeyUser(opening: content)
      #expect(octets(try again.encode()) == octets(content))
      #expect(again.block == user.block && again.box == user.box && again.lease == user.lease)
      #expect(again.idToken?.secret.text == user.idToken?.secret.text)
      #expect(again.tapkeyToken?.expires == user.tapkeyToken?.expires)
      #expect(again.tapkeyUser == user.tapkeyUser)
    }
    for tenant in try tenants() {
      let content = try tenant.encode()
      let again = try FlinkeyTenant(opening: content)
      #expect(octets(try again.encode()) == octets(content))
      #expect(again.credentials.password.text == "p&=+1" && again.credentials.customerID == 4711)
      #expect(again.apiToken?.secret.text == tenant.apiToken?.secret.text)
      #expect(again.lease == tenant.lease)
    }
  }

  @Test func `a record cut short, or with something behind, is damaged`() throws {
    for content in try users().map({ octets(try $0.encode()) }) where content.count < 1000 {
      for count in content.indices {
        #expect(code { _ = try FlinkeyUser(opening: secret(Array(content[..<count]))) } == .damaged)
      }
      #expect(code { _ = try FlinkeyUser(opening: secret(content + [0])) } == .damaged)
    }
    for content in try tenants().map({ octets(try $0.encode()) }) {
      for count in content.indices {
        #expect(
          code { _ = try FlinkeyTenant(opening: secret(Array(content[..<count]))) } == .damaged)
      }
      #expect(code { _ = try FlinkeyTenant(opening: secret(content + [0])) } == .damaged)
    }
  }

  @Test func `a record with an octet changed has no second reading`() throws {
    func expectOne(_ content: [UInt8], _ again: (borrowing SecretBytes) throws -> [UInt8]) throws {
      for place in content.indices {
        var changed = content
        for value in [UInt8(0), 1, 2, 0x7F, 0xFF] {
          changed[place] = value
          let found = try? again(secret(changed))
          #expect(found == nil || found == changed, "\(place) \(value)")
        }
      }
    }
    for content in try users().map({ octets(try $0.encode()) }) where content.count < 1000 {
      try expectOne(content) { octets(try FlinkeyUser(opening: $0).encode()) }
    }
    for content in try tenants().map({ octets(try $0.encode()) }) {
      try expectOne(content) { octets(try FlinkeyTenant(opening: $0).encode()) }
    }
  }

  @Test func `a lease is nobody's after its end, nor when no clock could have made it`() {
    #expect(lease.isHeld(at: lease.expires - 1))
    #expect(!lease.isHeld(at: lease.expires))
    #expect(lease.isHeld(at: lease.expires - 300))
    #expect(!lease.isHeld(at: lease.expires - 301))
  }

  @Test func `a lease that ends before it begins, or lasts too long, is damaged`() throws {
    let cases: [(Int64, Bool)] = [
      (lease.expires - 300, true), (lease.expires - 1, true), (lease.expires - 301, false),
      (lease.expires, false), (0, false), (-1, false), (.min, false), (.max, false),
    ]
    for (begun, isGood) in cases {
      var user = FlinkeyUser()
      user.lease = FlinkeyLease(
        id: lease.id, step: .idToken, uid: 1200, begun: begun, expires: lease.expires,
        input: lease.input)
      let content = octets(try user.encode())
      let found = code { _ = try FlinkeyUser(opening: secret(content)) }
      let expected: VaultError.Code? = isGood ? nil : .damaged
      #expect(found == expected, "\(begun)")
    }
  }

  @Test func `credentials that fit no request are refused by name`() throws {
    func field(_ apiKey: String, _ user: String, _ password: String, _ sdkKey: String, _ id: Int64)
      throws -> String?
    {
      do throws(VaultError) {
        let secrets: [HeldSecret]
        do { secrets = try [apiKey, user, password, sdkKey].map { try held($0) } } catch {
          throw VaultError(.internal, "\(error)")
        }
        _ = try FlinkeyCredentials(
          apiKey: secrets[0], userName: secrets[1], password: secrets[2], sdkKey: secrets[3],
          customerID: id)
        return nil
      } catch {
        #expect(error.code == .invalidParameters)
        return error.field
      }
    }
    #expect(try field("k", "ü", "p w", "s", 1) == nil)
    #expect(try field("k\r\nX: y", "u", "p", "s", 1) == "credentials.api_key")
    #expect(try field("a b", "u", "p", "s", 1) == "credentials.api_key")
    let long = String(repeating: "x", count: 1025)
    #expect(try field("k", long, "p", "s", 1) == "credentials.user_name")
    #expect(try field("k", "u", long, "s", 1) == "credentials.password")
    #expect(try field("k", "u", "p", long, 1) == "credentials.sdk_key")
    #expect(try field("k", "u", "p", "s", 0) == "credentials.customer_id")
  }
}
