import Testing
import VaultAPI

@testable import VaultCore
@testable import VaultServer

/// The table of metrics: what Prometheus asks of names, and that labels can hold nothing else.
@Suite struct MetricTableTests {
  private func isName(_ text: String) -> Bool {
    text.first?.isLetter == true
      && text.utf8.allSatisfy { ($0 >= 0x61 && $0 <= 0x7A) || $0 == 0x5F || isDigit($0) }
  }

  private func isDigit(_ octet: UInt8) -> Bool { octet >= 0x30 && octet <= 0x39 }

  @Test func `every metric has a name of the right form, its own, and one line of help`() {
    #expect(Set(Metric.all.map(\.name)).count == Metric.all.count)
    for metric in Metric.all {
      #expect(isName(metric.name), "\(metric.name)")
      #expect(metric.name.hasPrefix("latchkey_") || metric.name.hasPrefix("process_"))
      #expect(metric.name.hasSuffix("_total") == (metric.kind == .counter), "\(metric.name)")
      #expect(metric.help.hasSuffix(".") && metric.help.utf8.allSatisfy { $0 >= 0x20 })
      #expect(!metric.help.contains("\\"))
    }
  }

  @Test func `labels say words of closed lists that need no escaping`() {
    let labels = Metric.all.flatMap(\.labels)
    for label in labels {
      #expect(isName(label.name) && !["le", "job", "instance"].contains(label.name))
      #expect(!label.words.isEmpty && Set(label.words).count == label.words.count)
      for word in label.words {
        #expect(
          word.utf8.allSatisfy { octet in
            isDigit(octet) || octet == 0x2E || isName("a" + String(UnicodeScalar(octet)))
          }, "\(word)")
      }
    }
    let method = labels.first { $0.name == "method" }
    #expect(method?.words == VaultMethod.allCases.map(\.name) + ["unknown"])
    let code = labels.first { $0.name == "code" }
    #expect(code?.words == RPCErrorCode.allCases.map(\.name))
  }

  @Test func `every reading has a number for each combination of words`() throws {
    for metric in Metric.all {
      let combinations = metric.labels.reduce(1) { $0 * $1.words.count }
      switch metric.read(try snapshot()) {
      case .numbers(let numbers):
        #expect(numbers.count == combinations && metric.kind != .histogram, "\(metric.name)")
      case .durations(let histograms), .sizes(let histograms):
        #expect(histograms.count == combinations && metric.kind == .histogram, "\(metric.name)")
      }
    }
  }

  @Test func `requests are counted under their method, outcome and code`() throws {
    let meter = RequestMeter()
    meter.note(.keySign, nil, since: Stopwatch())
    meter.note(.keySign, .revoked, since: Stopwatch())
    meter.note(refused: nil, .parseError)
    meter.note(refused: .hello, .rateLimited)
    let text = MetricsText.text(try snapshot([meter, RequestMeter()]))
    let counted = text.split(separator: "\n").filter { line in
      (line.hasPrefix("latchkey_requests_total") || line.hasPrefix("latchkey_errors_total"))
        && !line.hasSuffix(" 0")
    }
    #expect(
      counted == [
        #"latchkey_requests_total{method="hello",outcome="denied"} 1"#,
        #"latchkey_requests_total{method="key.sign",outcome="ok"} 1"#,
        #"latchkey_requests_total{method="key.sign",outcome="refused"} 1"#,
        #"latchkey_requests_total{method="unknown",outcome="malformed"} 1"#,
        #"latchkey_errors_total{code="parse_error"} 1"#,
        #"latchkey_errors_total{code="revoked"} 1"#,
        #"latchkey_errors_total{code="rate_limited"} 1"#,
      ])
    let count = #"latchkey_request_duration_seconds_count{kind="committed"} 2"#
    #expect(text.contains("\n\(count)\n"))
  }

  @Test func `methods whose every call waits for slow work are told apart`() {
    #expect(
      VaultMethod.allCases.filter { RequestKind($0) == .slow } == [
        .vaultMetrics, .unseal, .slotAdd, .policySet, .policyExplain, .auditTail, .auditExport,
      ])
    #expect(RequestKind(.namespaceRevoke) == .committed && RequestKind(.namespaceList) == .inline)
  }

  @Test func `numbers are decimal and exact`() {
    let seconds: [(UInt64, String)] = [
      (0, "0"), (1, "0.000000001"), (50_000, "0.00005"), (1_500_000_000, "1.5"),
      (10_000_000_000, "10"), (.max, "18446744073.709551615"),
    ]
    for (nanoseconds, text) in seconds {
      #expect(MetricNumber.seconds(nanoseconds: nanoseconds).text == text)
    }
    #expect(MetricNumber.count(UInt64.max).text == "18446744073709551615")
    #expect(MetricNumber.count(-1).text == "0")
    #expect(MetricNumber.flag(true).text == "1" && MetricNumber.flag(false).text == "0")
  }

  private func snapshot(_ meters: [RequestMeter] = []) throws -> MetricsSnapshot {
    let histogram = Histogram(bounds: [1, 2]).reading
    return MetricsSnapshot(
      requests: RequestMeter.Reading(meters), server: ServerStatistics([]),
      endings: ConnectionEnding.allCases.map { _ in 0 },
      vault: VaultReading(
        isUnsealed: true, isAuditAvailable: true, auditSequence: 1, unexportedLines: 0,
        unsynchronisedLines: 0, unsynchronisedOctets: 0, owedLines: 0, isSegmentGood: true,
        isAnchorGood: true, uncheckpointedLines: 0, checkpointAge: 0, batchSizes: histogram,
        commitDurations: histogram, failedCommits: 0,
        cache: CacheReading(entries: 0, hits: 0, misses: 0), presentations: 0, unsealFailures: 0,
        erasuresPending: 0, isReserveHeld: true, damage: 0, isClockUncertain: false),
      started: 0, process: ProcessReading(), freeOctets: FileSystemRole.freeOctets("/"))
  }
}
