import AccessPolicy
import AliroEngine
package import WireCoding

extension VaultWorker {
  /// The most namespaces looked at for one advertisement.
  static let candidateLimit = 1024
  /// The most matches.
  static let matchLimit = 64

  /// Tells which of the namespaces that the caller may match an advertisement may be meant for
  /// (section 12).
  ///
  /// Fast for any number of passes: the namespaces are found by the start of the group's identifier,
  /// those with the group's resolving key first. Of these only the keys are read, and those whose key
  /// does not bear the advertisement out are left; the others are opened, and so proven. A namespace
  /// that is damaged is recorded, and refuses the call when nothing else matches. Where the caller's
  /// namespaces lie far apart among others with the group, the thread for slow reads looks for them.
  ///
  /// - Parameters:
  ///   - octets: the advertising data, 31 octets.
  ///   - address: the advertising address, 6 octets, the most significant first.
  ///   - name: the only namespace to look at, `nil` for all.
  ///   - subject: who asks.
  ///   - reply: given the matches.
  package func matchAdvertisement(
    _ octets: [UInt8], address: [UInt8], in name: NamespaceName?, by subject: AuditEntry.Subject,
    _ reply: @escaping Answer<AdvertisementMatches>
  ) {
    match(octets, address, in: name, by: subject, gaps: Self.gapLimit, reply)
  }

  /// Does that, stepping over so many gaps among others; over all of them, without a bound, on the
  /// thread for slow reads.
  private func match(
    _ octets: [UInt8], _ address: [UInt8], in name: NamespaceName?,
    by subject: AuditEntry.Subject, gaps bound: Int?,
    _ reply: @escaping Answer<AdvertisementMatches>
  ) {
    let entry = AuditEntry("presentation.match", by: subject, namespace: name)
    do throws(VaultError) {
      guard vault.ledger.unsealed != nil else { throw .sealed }
      let advertisement = try Advertisement(checking: octets, address)
      var search = Search(advertisement: advertisement, address: address)
      if let name {
        let namespace = try open(name)
        for isKeyed in [true, false] { try search.look(at: namespace, isKeyed: isKeyed) }
      } else if try !look(for: &search, gaps: bound, entry) {
        return readSlowly(entry, reply) { vault in
          VaultWorker(vault).match(octets, address, in: name, by: subject, gaps: nil, reply)
        }
      }
      guard !search.found.isEmpty else {
        if let damage = search.damage.last { throw damage }
        return vault.answer(search.answer, entry, reply)
      }
      release(search, entry, reply)
    } catch {
      refuse(entry, error, reply)
    }
  }

  /// Looks at the namespaces that are found by the advertisement's group.
  ///
  /// - Returns: whether the bound sufficed.
  private func look(
    for search: inout Search, gaps bound: Int?, _ entry: AuditEntry
  ) throws(VaultError) -> Bool {
    let candidates = try candidates(
      search.advertisement.groupPrefix, within: reach(of: entry.method, by: entry.subject),
      gaps: bound)
    guard let candidates else { return false }
    search.hasMore = candidates.count > Self.candidateLimit
    for candidate in candidates.prefix(Self.candidateLimit) {
      guard search.found.count < Self.matchLimit else {
        search.hasMore = true
        return true
      }
      do throws(VaultError) {
        let name = try makingRoom { () throws(VaultError) in
          try self.name(of: candidate, in: search)
        }
        if let name { try search.look(at: open(name), isKeyed: candidate.isKeyed) }
      } catch {
        switch error.code {
        case .damaged:
          // One call is not to fill the log.
          if search.damage.count < Self.matchLimit {
            var entry = entry
            entry.namespaceID = candidate.id
            entry.code = .damaged
            vault.record(entry)
          }
          search.damage.append(error)
        // Revoked since it was found.
        case .revoked: continue
        default: throw error
        }
      }
    }
    return true
  }

  /// The namespaces that are found by the start of a group's identifier, one more than are looked at.
  ///
  /// - Returns: `nil` when there were more gaps between them than the bound.
  private func candidates(
    _ prefix: [UInt8], within reach: NamespaceReach, gaps bound: Int?
  ) throws(VaultError) -> [FoundNamespace]? {
    let (isReady, found) = try read { snapshot throws(LedgerError) in
      snapshot.findsEveryGroup
        ? (
          true,
          try snapshot.namespaces(
            inGroup: prefix, within: reach, limit: Self.candidateLimit + 1, gaps: bound ?? .max)
        ) : (false, nil)
    }
    guard isReady else {
      throw VaultError(
        .busy, "the vault is being brought up to date after an upgrade: try again", retry: true)
    }
    return found
  }

  /// The name of a namespace that was found, past the cache: most are not to be opened.
  ///
  /// - Returns: `nil` when its resolving keys do not bear the advertisement out, when it is not found
  ///   any more, or when it is suspended.
  /// - Throws: `damaged` when what it was found by is not what it holds.
  private func name(
    of candidate: FoundNamespace, in search: Search
  ) throws(VaultError) -> NamespaceName? {
    let prefix = search.advertisement.groupPrefix
    let found = try read { snapshot throws(LedgerError) in
      guard let entry = try snapshot.namespace(candidate, inGroup: prefix),
        entry.state != .suspended
      else { return nil as (name: NamespaceName, keys: Result<GroupResolvingKeys?, VaultError>)? }
      guard candidate.isKeyed else { return (entry.name, .success(nil)) }
      let record = try snapshot.contents(of: entry)
        .open(.readerContext, GroupResolvingKeys.identifier)
      guard let record else { throw .damaged(.readerGroups(candidate.id)) }
      return (
        entry.name,
        Result { () throws(VaultError) in try GroupResolvingKeys(opening: record) }
      )
    }
    guard let found else { return nil }
    guard let keys = try found.keys.get() else { return found.name }
    let groups = keys.groups.filter { search.advertisement.isOf(group: $0) }
    guard !groups.isEmpty else {
      throw VaultError(LedgerError.damaged(.readerGroups(candidate.id)))
    }
    for group in groups where try search.verifies(group, with: keys) { return found.name }
    return nil
  }

  /// Hands over what was found; what was revoked or changed meanwhile, or may not be matched any more,
  /// is left out.
  private func release(
    _ search: Search, _ entry: AuditEntry, _ reply: @escaping Answer<AdvertisementMatches>
  ) {
    vault.committer.hooks.computed?(entry.method)
    let (found, answer) = (search.found, search.answer)
    vault.committer.submit(
      .mutation(entry, target: entry.namespace == nil ? .filtered : nil) {
        context throws(VaultError) in
        var answer = answer
        let isJudgedAnew = context.entry.subject.policy != entry.subject.policy
        answer.matches = found.filter { found in
          context.holds(found.fence)
            && !(isJudgedAnew
              && context.denial(of: entry.method, .namespace(found.fence.name)) != nil)
        }.map(\.match)
        return answer
      } finish: { result in
        reply(result.map(\.value))
      })
  }
}

/// A search for the namespaces of an advertisement.
private struct Search {
  let advertisement: Advertisement
  let address: [UInt8]
  var found: [(match: AdvertisementMatches.Match, fence: Fence)] = []
  var hasMore = false
  /// The damage that was met.
  var damage: [VaultError] = []

  init(advertisement: Advertisement, address: [UInt8]) {
    self.advertisement = advertisement
    self.address = address
  }

  var answer: AdvertisementMatches {
    AdvertisementMatches(
      isConnectable: advertisement.isConnectable, matches: found.map(\.match), hasMore: hasMore)
  }

  /// Compares a namespace's groups with the advertisement; one that is suspended has none.
  ///
  /// - Parameters:
  ///   - namespace: the namespace.
  ///   - isKeyed: whether to look at the groups with a resolving key, or at those without.
  /// - Throws: `damaged` when its pass or its keys are.
  mutating func look(at namespace: OpenNamespace, isKeyed: Bool) throws(VaultError) {
    guard namespace.entry.state != .suspended else { return }
    guard let pass = try namespace.pass?.get() else { return }
    let keys = try namespace.resolvingKeys?.get()
    for group in pass.groups
    where advertisement.isOf(group: group) && (keys?[group] != nil) == isKeyed {
      if isKeyed, let keys, try !verifies(group, with: keys) { continue }
      guard found.count < VaultWorker.matchLimit else { return hasMore = true }
      let match = AdvertisementMatches.Match(
        namespace: namespace.name, readerGroup: group, isVerified: isKeyed)
      found.append((match, namespace.fence()))
    }
  }

  /// Whether a group's resolving key bears the advertisement out.
  func verifies(_ group: [UInt8], with keys: GroupResolvingKeys) throws(VaultError) -> Bool {
    guard let key = keys[group] else { return false }
    do { return try advertisement.matches(key.key, address: address) } catch {
      throw VaultError(error) { _ in "the address is not one" }
    }
  }
}

extension Advertisement {
  /// Reads advertising data, and sees that the address beside it is one.
  fileprivate init(checking octets: [UInt8], _ address: [UInt8]) throws(VaultError) {
    guard address.count == 6 else {
      throw VaultError(.invalidParameters, "an address is 6 octets", field: "address")
    }
    do { try self.init(octets) } catch {
      throw VaultError(error) { _ in "this is not the advertising data of an Aliro reader" }
    }
  }
}
