import Glibc
import VaultCore
import VaultCrypto
import VaultStore

extension CommandFailure {
  /// Something that went wrong with files of the vault.
  ///
  /// - Parameters:
  ///   - error: what happened.
  ///   - path: the file or directory it is about.
  init(_ error: LedgerError, path: String) {
    switch error {
    case .keyFile(let problem): self.init(problem, path: path)
    case .memory(let reason): self.init(reason)
    case .crypto(.memoryExhausted):
      self.init(
        .failure, "the memory for the key derivation cannot be had",
        hint: "it takes 256 MiB, and locked memory besides: see `ulimit -l`")
    case .notEmpty:
      self.init(
        .cannotCreate, "\(path) exists already and is not empty",
        hint: "a vault is never overwritten; name another directory")
    case .store(let reason): self.init(reason, path: path)
    default: self.init(.failure, "\(path): the vault cannot be made (\(error))")
    }
  }

  private init(_ problem: KeyFileProblem, path: String) {
    switch problem {
    case .malformed:
      self.init(.badData, "\(path) is not a key file of this vault's kind")
    case .notRegular:
      self.init(.badData, "\(path) is not a regular file")
    case .exposed:
      self.init(
        .badData, "\(path) can be read or written by others than its owner",
        hint: "make it private with `chmod 600`, and think about who may have read it")
    case .unreadable(let reason):
      self.init(.noInput, "\(path) cannot be read: \(systemMessage(reason))")
    case .exists:
      self.init(
        .cannotCreate, "\(path) exists already",
        hint: "a key file is never overwritten; name another file")
    }
  }

  private init(_ error: StoreError, path: String) {
    switch error {
    case .file(.makeDirectory, EACCES), .file(.makeDirectory, EROFS):
      let parent = DataDirectory.parent(of: path)
      self.init(
        .cannotCreate, "\(path) cannot be made: nothing can be written in \(parent)",
        hint: "a vault is built beside its place and renamed; name one in a directory of this user")
    case .file(let operation, let reason):
      self.init(
        .cannotCreate, "\(path) cannot be made: \(operation.rawValue): \(systemMessage(reason))")
    case .cannotOpen(let reason):
      self.init(.cannotCreate, "\(path) cannot be made: \(systemMessage(reason))")
    case .storageFull:
      self.init(.cannotCreate, "\(path) cannot be made: the disk is full")
    case .readOnly:
      self.init(.cannotCreate, "\(path) cannot be made: the file system is read-only")
    default:
      self.init(.cannotCreate, "\(path) cannot be made (\(error))")
    }
  }
}
