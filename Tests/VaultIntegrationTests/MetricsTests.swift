import Foundation
import Glibc
import Testing

/// `vault.metrics`, read by the parser that Prometheus publishes and compared with the kernel.
@Suite struct MetricsTests {
  /// An exposition as the independent parser has read it.
  struct Exposition: Decodable {
    struct Sample: Decodable {
      let name: String
      let labels: [String: String]
      let value: Double
    }

    struct Family: Decodable {
      let type: String
      let help: String
      let samples: [Sample]
    }

    let families: [String: Family]

    init(_ text: String) throws {
      let outcome = try Program(interop: "read_metrics.py").run(input: text)
      try #require(outcome.isGood, "\(outcome.errors)\n\(text)")
      families = try JSONDecoder().decode(
        [String: Family].self, from: Data(outcome.output.utf8))
    }

    /// The one sample with these labels.
    func value(_ name: String, _ labels: [String: String] = [:], in family: String? = nil)
      -> Double?
    {
      let samples = families[family ?? name]?.samples.filter {
        $0.name == name && $0.labels == labels
      }
      return samples?.count == 1 ? samples?.first?.value : nil
    }
  }

  private func exposition(_ vault: TestVault) throws -> Exposition {
    let text = try #require(try vault.connect().call("vault.metrics").text("text"))
    return try Exposition(text)
  }

  @Test func `counts what was asked, and how it ended`() throws {
    let vault = try TestVault()
    let socket = try vault.connect()
    let before = try exposition(vault)
    _ = try socket.call("key.public", ["namespace": "metered/door", "purpose": "signing"])
    for _ in 0..<20 {
      let answer = try socket.call(
        "key.sign", ["namespace": "metered/door", "message": "AA==", "format": "raw"])
      #expect(answer.text("signature") != nil, "\(answer.line)")
    }
    #expect(
      try socket.call("key.sign", ["namespace": "none", "message": "AA==", "format": "raw"]).code
        == "not_found")
    #expect(try socket.call("seal").code == "forbidden")
    #expect(try socket.call("key.list", ["namespace": "NOT A NAME"]).code == "invalid_params")
    #expect(try socket.call("vault.open").code == "method_not_found")
    let after = try exposition(vault)

    func grown(_ name: String, _ labels: [String: String] = [:], in family: String? = nil) throws
      -> Double
    {
      let start = try #require(before.value(name, labels, in: family), "\(name) \(labels)")
      return try #require(after.value(name, labels, in: family), "\(name) \(labels)") - start
    }
    func requests(_ method: String, _ outcome: String) throws -> Double {
      try grown("latchkey_requests_total", ["method": method, "outcome": outcome])
    }
    #expect(try requests("key.sign", "ok") == 20)
    #expect(try requests("key.sign", "refused") == 1)
    #expect(try requests("key.public", "ok") == 1)
    #expect(try requests("seal", "denied") == 1)
    #expect(try requests("key.list", "malformed") == 1)
    #expect(try requests("unknown", "malformed") == 1)
    // The first exposition was counted when it had been answered.
    #expect(try requests("vault.metrics", "ok") == 1)
    for code in ["not_found", "forbidden", "invalid_params", "method_not_found"] {
      #expect(try grown("latchkey_errors_total", ["code": code]) == 1, "\(code)")
    }
    let durations = "latchkey_request_duration_seconds"
    #expect(try grown(durations + "_count", ["kind": "committed"], in: durations) >= 21)
    #expect(try grown(durations + "_count", ["kind": "slow"], in: durations) == 1)
    let items = "latchkey_commit_batch_items"
    // The key and the signatures waited for their lines; those of refusals may come later.
    #expect(try grown(items + "_sum", in: items) >= 21)
    #expect(try grown("latchkey_audit_lines_total") >= 21)
    // The first signature found the namespace changed.
    #expect(try grown("latchkey_cache_lookups_total", ["found": "yes"]) >= 19)
    #expect(after.value("latchkey_cache_entries") == 1)
    #expect(after.value("latchkey_requests_in_flight") == 1)
  }

  @Test func `says of the process what the kernel says`() throws {
    let vault = try TestVault()
    let process = try #require(vault.daemon).processID
    let metrics = try exposition(vault)
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    func kilobytes(_ name: String) -> Double? {
      let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
      return line?.split(separator: " ").dropFirst().first.flatMap { Double($0) }
    }
    #expect(metrics.value("latchkey_locked_memory_bytes") == (kilobytes("VmLck:") ?? 0) * 1024)
    let resident = try #require(metrics.value("process_resident_memory_bytes"))
    #expect(resident > 1e6 && resident < 1e9)
    // The connection that asked was open then, and may have gone since.
    let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count
    let told = try #require(metrics.value("process_open_fds"))
    let difference: Double = told - Double(open)
    // So may files of the log that were just looked at.
    #expect(abs(difference) <= 4)
    let started = try #require(metrics.value("process_start_time_seconds"))
    let age: Double = Date().timeIntervalSince1970 - started
    #expect(abs(age) < 600)
    #expect((metrics.value("process_cpu_seconds_total") ?? 0) > 0)

    var room = statvfs()
    try #require(unsafe statvfs(vault.data, &room) == 0)
    let free = Double(room.f_bavail) * Double(room.f_frsize)
    for holds in ["data", "audit"] {
      let told = try #require(metrics.value("latchkey_disk_free_bytes", ["holds": holds]))
      // Others write meanwhile.
      #expect(abs(told - free) < 10e9)
    }
    #expect(metrics.value("latchkey_sealed") == 0)
    #expect(metrics.value("latchkey_audit_available") == 1)
    #expect(metrics.value("latchkey_reserve_held") == 1)
  }

  @Test func `follows connections, presentations and failed attempts to unseal`() throws {
    let vault = try TestVault()
    let socket = try vault.connect()
    _ = try socket.call("key.public", ["namespace": "metered/gate"])
    let opened = try socket.call(
      "presentation.open", ["namespace": "metered/gate", "transport": "nfc"])
    #expect(opened.text("presentation") != nil, "\(opened.line)")
    let during = try exposition(vault)
    #expect(during.value("latchkey_presentations") == 1)
    #expect(during.value("latchkey_connections") == 2)
    #expect(during.value("latchkey_unseal_failures_total") == 0)

    socket.send(String(repeating: "x", count: 300 << 10))
    #expect(socket.answersToEnd().map(\.code) == ["too_large"])
    #expect(try vault.connect(.admin).call("seal").result != nil)
    // Somebody has to see that it is sealed.
    let sealed = try exposition(vault)
    #expect(sealed.value("latchkey_sealed") == 1 && during.value("latchkey_sealed") == 0)
    let wrong = try vault.connect(.admin).call(
      "unseal", ["key": Data(repeating: 7, count: 32).base64EncodedString()])
    #expect(wrong.code == "wrong_secret")
    #expect(try vault.control("unseal", "--key-file", vault.keyFile).isGood)
    let after = try exposition(vault)
    #expect(after.value("latchkey_presentations") == 0)
    #expect(after.value("latchkey_connections_ended_total", ["reason": "too_large"]) == 1)
    #expect(after.value("latchkey_unseal_failures_total") == 1)
  }

  @Test func `is written by vaultctl as it is`() throws {
    let vault = try TestVault()
    let outcome = try vault.control("metrics")
    #expect(outcome.isGood && outcome.errors.isEmpty)
    let told = try Exposition(outcome.output)
    let asked = try exposition(vault)
    #expect(Set(told.families.keys) == Set(asked.families.keys))
  }

  @Test func `has a name or secret of a namespace nowhere`() throws {
    let vault = try TestVault()
    let socket = try vault.connect()
    let name = "canary-namespace/canary-door"
    _ = try socket.call("key.public", ["namespace": name, "purpose": "signing"])
    _ = try socket.call("key.sign", ["namespace": name, "message": "Y2FuYXJ5", "format": "raw"])
    _ = try socket.call(name, ["namespace": name])
    _ = try socket.call("hello", ["client": "canary-client"])
    let text = try #require(try socket.call("vault.metrics").text("text"))
    #expect(!text.contains("canary") && !text.contains("Y2FuYXJ5"))
  }
}
