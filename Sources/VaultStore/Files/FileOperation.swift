/// What was tried with a file other than the database.
public enum FileOperation: String, Hashable, Sendable {
  case open, read, write, synchronise, rename, link, remove
  case makeDirectory = "make directory"
  case makeFile = "make file"
  case lock
}
