import AliroEngine
package import WireCoding

extension VaultWorker {
  /// The most namespaces looked at for one advertisement, and the most matches.
  static let matchLimit = 64

  /// Tells which namespaces an advertisement may be meant for (section 12).
  ///
  /// Fast for any number of passes: the namespaces are found by the start of the group's identifier.
  /// What was found is opened, and so proven; a namespace that is damaged is recorded, and refuses the
  /// call when nothing else matches. That nothing matches leaves no line.
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
    let entry = AuditEntry("presentation.match", by: subject, namespace: name)
    do throws(VaultError) {
      guard vault.ledger.unsealed != nil else { throw .sealed }
      let advertisement = try Advertisement(checking: octets, address)
      var search = Search(advertisement: advertisement, address: address)
      if let name {
        try search.look(at: open(name))
      } else {
        try look(for: &search, entry)
      }
      guard !search.found.isEmpty else {
        if let damage = search.damage { throw damage }
        return reply(.success(search.answer))
      }
      release(search, entry, reply)
    } catch {
      refuse(entry, error, reply)
    }
  }

  /// Looks at every namespace that is found by the advertisement's group.
  private func look(for search: inout Search, _ entry: AuditEntry) throws(VaultError) {
    let candidates = try candidates(search.advertisement.groupPrefix)
    search.hasMore = candidates.count > Self.matchLimit
    for (id, name) in candidates.prefix(Self.matchLimit) {
      do throws(VaultError) {
        try search.look(at: open(name.get()))
      } catch {
        switch error.code {
        case .damaged:
          search.damage = error
          var entry = entry
          entry.namespaceID = id
          entry.code = .damaged
          vault.committer.submit(.note(entry))
        // Revoked since it was found.
        case .revoked: continue
        default: throw error
        }
      }
    }
  }

  /// The namespaces that are found by the start of a group's identifier, one more than are looked at.
  private func candidates(
    _ prefix: [UInt8]
  ) throws(VaultError) -> [(NamespaceID, Result<NamespaceName, VaultError>)] {
    let found = try read { snapshot throws(LedgerError) in
      guard snapshot.findsEveryGroup else {
        return nil as [(NamespaceID, Result<NamespaceName, VaultError>)]?
      }
      return try snapshot.namespaces(inGroup: prefix, limit: Self.matchLimit + 1).map { id in
        do throws(LedgerError) {
          // The vault takes the rows of a namespace away with its pass.
          guard let entry = try snapshot.namespace(withID: id), entry.state != .tombstone else {
            throw .damaged(.readerGroups(id))
          }
          return (id, .success(entry.name))
        } catch {
          return (id, .failure(VaultError(error)))
        }
      }
    }
    guard let found else {
      throw VaultError(
        .busy, "the vault is being brought up to date after an upgrade: try again", retry: true)
    }
    return found
  }

  /// Hands over what was found; what was revoked or changed meanwhile is left out.
  private func release(
    _ search: Search, _ entry: AuditEntry, _ reply: @escaping Answer<AdvertisementMatches>
  ) {
    vault.committer.hooks.computed?(entry.method)
    let (found, answer) = (search.found, search.answer)
    vault.committer.submit(
      .mutation(entry) { context throws(VaultError) in
        var answer = answer
        answer.matches = found.filter { context.holds($0.fence) }.map(\.match)
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
  /// The last damage that was met.
  var damage: VaultError?

  init(advertisement: Advertisement, address: [UInt8]) {
    self.advertisement = advertisement
    self.address = address
  }

  var answer: AdvertisementMatches {
    AdvertisementMatches(
      isConnectable: advertisement.isConnectable, matches: found.map(\.match), hasMore: hasMore)
  }

  /// Compares a namespace's groups with the advertisement.
  ///
  /// - Throws: `damaged` when its pass or its keys are.
  mutating func look(at namespace: OpenNamespace) throws(VaultError) {
    guard let pass = try namespace.pass?.get() else { return }
    let keys = try namespace.resolvingKeys?.get()
    for group in pass.groups where advertisement.isOf(group: group) {
      guard found.count < VaultWorker.matchLimit else {
        hasMore = true
        return
      }
      let key = keys?[group]
      do throws(AliroError) {
        if let key, try !advertisement.matches(key.key, address: address) { continue }
      } catch {
        throw VaultError(error) { _ in "the address is not one" }
      }
      let match = AdvertisementMatches.Match(
        namespace: namespace.name, readerGroup: group, isVerified: key != nil)
      found.append((match, namespace.fence()))
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
