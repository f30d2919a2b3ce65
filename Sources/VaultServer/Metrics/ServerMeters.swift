import Synchronization
import VaultCore

/// What the server and its service count, in one place for whoever reads it.
package final class ServerMeters: Sendable {
  private let loops = Mutex<[LoopStatistics]>([])
  private let requests = Mutex<[RequestMeter]>([])
  private let endings = CounterBlock(count: ConnectionEnding.allCases.count)
  private let dataDirectory: String?

  /// Starts with nothing counted.
  ///
  /// - Parameter dataDirectory: where the vault is, to tell of the room there; `nil` for nowhere.
  package init(dataDirectory: String? = nil) {
    self.dataDirectory = dataDirectory
  }

  /// Makes the meter of an I/O thread's requests.
  func addRequestMeter() -> RequestMeter {
    let meter = RequestMeter()
    requests.withLock { $0.append(meter) }
    return meter
  }

  /// Makes the statistics of an I/O thread.
  func addLoop() -> LoopStatistics {
    let statistics = LoopStatistics()
    loops.withLock { $0.append(statistics) }
    return statistics
  }

  /// Counts a connection that is not served, or not any more.
  func noteEnding(_ reason: ConnectionEnding) {
    endings.add(1, at: ConnectionEnding.allCases.firstIndex(of: reason) ?? 0)
  }

  /// What the I/O threads have done.
  var server: ServerStatistics { ServerStatistics(loops.withLock { $0 }) }

  /// Everything there is to tell of a vault now.
  func snapshot(of vault: Vault) -> MetricsSnapshot {
    MetricsSnapshot(
      requests: RequestMeter.Reading(requests.withLock { $0 }), server: server,
      endings: endings.all, vault: vault.reading, started: vault.started,
      process: ProcessReading(),
      freeOctets: dataDirectory.map(FileSystemRole.freeOctets) ?? [])
  }
}
