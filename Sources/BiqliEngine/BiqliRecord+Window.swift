package import WireCoding

extension BiqliRecord {
  /// Tells whether opening the app would be its first open; the first time it is asked the window
  /// begins, and after 24 hours asking closes it for good.
  ///
  /// A begin that has not come yet is of a clock that was ahead; the window then begins now, as it would
  /// not close otherwise.
  ///
  /// - Parameter now: the vault's time, which may stand still but must not be set back by callers.
  /// - Returns: whether the window is open, and until when.
  package mutating func window(at now: Timestamp) -> BiqliWindow {
    guard !isCompleted else { return .closed }
    let start = min(windowStart ?? now, now)
    windowStart = start
    expire(at: now)
    return isCompleted
      ? .closed : .open(until: Timestamp(clamping: start.seconds + Self.windowSeconds))
  }

  /// Closes the window if its time is over, or lets it begin now if its begin has not come yet, and does
  /// nothing else: a pending request stays, as its event may have been counted.
  ///
  /// - Parameter now: the vault's time.
  package mutating func expire(at now: Timestamp) {
    guard !isCompleted, let begin = windowStart else { return }
    let start = min(begin, now)
    windowStart = start
    if now.seconds - start.seconds >= Self.windowSeconds { isCompleted = true }
  }

  /// Gives the last match, where no request is due: the window is closed, neither link nor token waits,
  /// and nothing is pending.
  ///
  /// - Parameter now: the vault's time.
  /// - Returns: the result, which never has a receipt.
  package mutating func cached(at now: Timestamp) -> BiqliResult? {
    guard window(at: now) == .closed, link == nil, token == nil, pending == nil else { return nil }
    return cachedResult
  }
}
