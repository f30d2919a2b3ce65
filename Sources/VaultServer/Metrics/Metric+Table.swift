// The table of all metrics. The METRICS section of vaultd(8) has the same words.

import VaultCore

extension Metric {
  static let requests: [Metric] = [
    .counter(
      "latchkey_requests_total", "Requests that were answered.", by: [.method, .outcome]
    ) { $0.requests.outcomes.map { .count($0) } },
    .counter(
      "latchkey_errors_total", "Requests that were answered with an error, by its code.",
      by: [.code]
    ) { $0.requests.codes.map { .count($0) } },
    .durations(
      "latchkey_request_duration_seconds",
      "Time from a request's being decoded to its answer's being queued.", by: [.kind]
    ) { $0.requests.durations },
    .gauge(
      "latchkey_requests_in_flight", "Requests that the service has and has not answered."
    ) { [.count($0.server.inFlight)] },
  ]

  static let connections: [Metric] = [
    .gauge("latchkey_connections", "Connections that are open.") {
      [.count($0.server.connections &- $0.server.closed)]
    },
    .counter("latchkey_connections_total", "Connections that were served.") {
      [.count($0.server.connections)]
    },
    .counter(
      "latchkey_connections_ended_total",
      "Connections that the server refused at once, or would not serve any more.", by: [.reason]
    ) { $0.endings.map { .count($0) } },
  ]

  static let commits: [Metric] = [
    .sizes("latchkey_commit_batch_items", "Items of each batch that was committed.") {
      [$0.vault.batchSizes]
    },
    .durations(
      "latchkey_commit_duration_seconds",
      "Time that each batch took, from its first item to the end of its commit."
    ) { [$0.vault.commitDurations] },
    .counter("latchkey_commits_failed_total", "Batches that could not be committed.") {
      [.count($0.vault.failedCommits)]
    },
  ]

  static let audit: [Metric] = [
    .gauge("latchkey_audit_available", "Whether audit lines can be made durable.") {
      [.flag($0.vault.isAuditAvailable)]
    },
    .counter("latchkey_audit_lines_total", "The number of the newest durable audit line.") {
      [.count($0.vault.auditSequence)]
    },
    .gauge(
      "latchkey_audit_unexported_lines",
      "Audit lines that the database has and the segment does not have yet."
    ) { [.count($0.vault.unexportedLines)] },
    .gauge(
      "latchkey_audit_unsynchronised_lines",
      "Audit lines of the segment that are not known to be on the device; the database has them."
    ) { [.count($0.vault.unsynchronisedLines)] },
    .gauge(
      "latchkey_audit_unsynchronised_bytes",
      "Bytes of the audit segment that are not known to be on the device."
    ) { [.count($0.vault.unsynchronisedOctets)] },
  ]

  static let checkpoints: [Metric] = [
    .gauge(
      "latchkey_audit_owed_lines",
      "Audit lines that could not be written yet and are tried again; nobody waits for them."
    ) { [.count($0.vault.owedLines)] },
    .gauge("latchkey_audit_segment_good", "Whether audit segments are written as they should be.") {
      [.flag($0.vault.isSegmentGood)]
    },
    .gauge(
      "latchkey_audit_uncheckpointed_lines",
      "Audit lines that the newest checkpoint does not cover; absent before the first of this run."
    ) { $0.vault.uncheckpointedLines.map { [.count($0)] } ?? [] },
    .gauge(
      "latchkey_audit_checkpoint_age_seconds",
      "Time since the newest checkpoint was made; absent before the first of this run."
    ) {
      $0.vault.checkpointAge.map {
        [.seconds(nanoseconds: UInt64(clamping: $0) &* 1_000_000)]
      } ?? []
    },
    .gauge(
      "latchkey_audit_anchor_good",
      "Whether the newest checkpoint is kept at the anchor too; 1 without an anchor."
    ) { [.flag($0.vault.isAnchorGood)] },
  ]

  static let vault: [Metric] = [
    .gauge("latchkey_sealed", "Whether the vault is sealed.") { [.flag(!$0.vault.isUnsealed)] },
    .counter("latchkey_unseal_failures_total", "Attempts to unseal that failed.") {
      [.count($0.vault.unsealFailures)]
    },
    .gauge("latchkey_damage_findings", "Findings of damage that status tells of.") {
      [.count($0.vault.damage)]
    },
    .gauge(
      "latchkey_clock_uncertain",
      "Whether the machine's clock is behind what the vault knows, or too far ahead to be believed."
    ) { [.flag($0.vault.isClockUncertain)] },
    .gauge("latchkey_presentations", "Presentations that are open.") {
      [.count($0.vault.presentations)]
    },
    .gauge("latchkey_cache_entries", "Namespaces that are held open.") {
      [.count($0.vault.cache.entries)]
    },
    .counter("latchkey_cache_lookups_total", "Look-ups of a namespace in the cache.", by: [.found])
    {
      [.count($0.vault.cache.hits), .count($0.vault.cache.misses)]
    },
    .gauge(
      "latchkey_erasures_pending", "Revoked keys whose wrapped form is still to be erased."
    ) { [.count($0.vault.erasuresPending)] },
    .gauge(
      "latchkey_reserve_held", "Whether disk space is kept back for revocations and deletions."
    ) { [.flag($0.vault.isReserveHeld)] },
    .gauge(
      "latchkey_disk_free_bytes",
      "Bytes that the daemon may still write to a file system.", by: [.fileSystem]
    ) { $0.freeOctets.map { .count($0) } },
    .gauge("latchkey_build_info", "Always 1.", by: [.version]) { _ in [.flag(true)] },
  ]

  // Names that monitoring tools know already.
  static let process: [Metric] = [
    .gauge("latchkey_locked_memory_bytes", "Memory that is locked against swapping.") {
      $0.process.lockedOctets.map { [.count($0)] } ?? []
    },
    .gauge("process_resident_memory_bytes", "Memory that is resident.") {
      $0.process.residentOctets.map { [.count($0)] } ?? []
    },
    .gauge("process_open_fds", "Open file descriptors.") {
      $0.process.openDescriptors.map { [.count($0)] } ?? []
    },
    .gauge("process_max_fds", "File descriptors that may be open.") {
      $0.process.descriptorLimit.map { [.count($0)] } ?? []
    },
    .counter("process_cpu_seconds_total", "Processor time, user and system.") {
      [.seconds(nanoseconds: $0.process.processorNanoseconds)]
    },
    .gauge(
      "process_start_time_seconds", "When the daemon started, in seconds since 1970."
    ) { [.count($0.started)] },
  ]
}
