import Synchronization

// What the committer's thread lets others know.
extension CommitLoop {
  /// Lets operators know of damage that was found.
  func report(_ words: [String]) {
    guard !words.isEmpty else { return }
    shared.status.withLock { status in
      for found in words where !status.damage.contains(found) { status.damage.append(found) }
    }
  }

  /// Lets operators know how far the segment is behind the database, and the device behind the
  /// segment.
  func publishLag() {
    let meter = shared.meter
    let pending = exporter.unsynchronised
    meter.unexportedLines.store(
      exporter.lag(behind: position.chain.sequence), ordering: .relaxed)
    meter.unsynchronisedLines.store(pending.lines, ordering: .relaxed)
    meter.unsynchronisedOctets.store(pending.octets, ordering: .relaxed)
  }

  func publish(erasurePending: Int64? = nil) {
    let floor = floor
    shared.floor.withLock { $0 = floor }
    shared.status.withLock { status in
      status.sequence = position.chain.sequence
      status.isAvailable = true
      if let erasurePending { status.erasurePending = erasurePending }
    }
  }
}
