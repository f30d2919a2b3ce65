import Synchronization

/// The page digests that one version of the index has.
struct IndexView: Sendable {
  /// The version, which the state row names as well.
  let version: Int64
  /// The digests of the 1,024 pages, 32 octets each.
  private(set) var pages: [UInt8]
  /// Whether every pass has its rows in `reader_group`.
  private(set) var groupsIndexed: Bool

  /// Takes the digests of a version.
  init(version: Int64, pages: [UInt8], groupsIndexed: Bool) {
    self.version = version
    self.pages = pages
    self.groupsIndexed = groupsIndexed
  }

  /// The digest of a page.
  func digest(ofPage page: Int64) -> ArraySlice<UInt8> {
    let start = Int(page) * 32
    return pages[start..<start + 32]
  }

  /// The digests of the 32 pages of a group.
  func digests(ofGroup group: Int64) -> [UInt8] {
    let start = Int(group) * 1_024
    return [UInt8](pages[start..<start + 1_024])
  }

  /// The view with other digests for some pages.
  func replacing(
    _ digests: [Int64: [UInt8]], version: Int64, groupsIndexed: Bool
  ) -> IndexView {
    var next = IndexView(version: version, pages: pages, groupsIndexed: groupsIndexed)
    for (page, digest) in digests {
      next.pages.replaceSubrange(Int(page) * 32..<Int(page) * 32 + 32, with: digest)
    }
    return next
  }
}

/// The page digests that are true now, and those of the commit that is on its way.
///
/// A reader may see a commit in the database before the writer hears that it succeeded, so the next
/// version is made known before COMMIT; each reader takes the version that its transaction sees.
final class IndexTable: Sendable {
  private struct Views {
    var current: IndexView
    var next: IndexView?
  }

  private let views: Mutex<Views>

  init(_ view: IndexView) {
    views = Mutex(Views(current: view))
  }

  /// The digests of the last commit.
  var current: IndexView { views.withLock { $0.current } }

  /// The digests of a version, `nil` when it is neither the last nor the next one.
  func view(_ version: Int64) -> IndexView? {
    views.withLock { views in
      if views.current.version == version { return views.current }
      return views.next?.version == version ? views.next : nil
    }
  }

  /// Makes the digests of the coming commit known.
  func stage(_ view: IndexView) {
    views.withLock { $0.next = view }
  }

  /// The coming commit succeeded.
  func promote() {
    views.withLock { views in
      if let next = views.next { views.current = next }
      views.next = nil
    }
  }

  /// The coming commit will not happen.
  func unstage() {
    views.withLock { $0.next = nil }
  }
}
