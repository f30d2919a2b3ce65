#pragma once
#include <sqlite3.h>
#include <string.h>

// What the Swift importer leaves out: variadic calls, cast macros, and the calls of a VFS, which are
// pointers inside structures.

/// Binds octets that SQLite copies (SQLITE_TRANSIENT is a cast that Swift cannot see). A pointer of
/// NULL with no bytes still binds an empty blob, never NULL.
static inline int latchkey_bind_blob(
    sqlite3_stmt *_Nonnull statement, int index, const void *_Nullable bytes, int count) {
  return sqlite3_bind_blob(statement, index, count == 0 ? "" : bytes, count, SQLITE_TRANSIENT);
}

/// Binds UTF-8 text that SQLite copies.
static inline int latchkey_bind_text(
    sqlite3_stmt *_Nonnull statement, int index, const char *_Nullable bytes, int count) {
  return sqlite3_bind_text(statement, index, count == 0 ? "" : bytes, count, SQLITE_TRANSIENT);
}

/// Sets one of the on/off options of sqlite3_db_config.
static inline int latchkey_db_option(sqlite3 *_Nonnull database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}

/// A file opened through a VFS without a database connection around it.
typedef struct latchkey_vfs_file {
  sqlite3_filename _Nullable name;
  sqlite3_file *_Nullable file;
} latchkey_vfs_file;

/// Closes what latchkey_vfs_open opened.
static inline void latchkey_vfs_close(latchkey_vfs_file handle) {
  if (handle.file != 0) {
    if (handle.file->pMethods != 0) handle.file->pMethods->xClose(handle.file);
    sqlite3_free(handle.file);
  }
  if (handle.name != 0) sqlite3_free_filename(handle.name);
}

/// Opens `path` (or its write-ahead log, when `wal` is not 0) for reading through the named VFS.
///
/// Going through the VFS rather than open(2) matters: closing a plain descriptor would drop the
/// POSIX locks that other connections of this process hold on the same file. Returns an SQLite code.
static inline int latchkey_vfs_open(
    const char *_Nullable vfs_name, const char *_Nonnull path, int wal,
    latchkey_vfs_file *_Nonnull handle) {
  sqlite3_vfs *vfs = sqlite3_vfs_find(vfs_name);
  int flags = SQLITE_OPEN_READONLY | (wal ? SQLITE_OPEN_WAL : SQLITE_OPEN_MAIN_DB);
  char *full;
  int code;
  handle->name = 0;
  handle->file = 0;
  if (vfs == 0) return SQLITE_MISUSE;
  full = (char *)sqlite3_malloc(vfs->mxPathname + 1);
  if (full == 0) return SQLITE_NOMEM;
  code = vfs->xFullPathname(vfs, path, vfs->mxPathname + 1, full);
  if ((code & 0xff) == SQLITE_OK) {
    char *wal_name = sqlite3_mprintf("%s-wal", full);
    handle->name = sqlite3_create_filename(full, "", wal_name == 0 ? "" : wal_name, 0, 0);
    sqlite3_free(wal_name);
  }
  sqlite3_free(full);
  if ((code & 0xff) != SQLITE_OK) return code;
  handle->file = (sqlite3_file *)sqlite3_malloc(vfs->szOsFile);
  if (handle->name == 0 || handle->file == 0) {
    latchkey_vfs_close(*handle);
    handle->name = 0;
    handle->file = 0;
    return SQLITE_NOMEM;
  }
  memset(handle->file, 0, (size_t)vfs->szOsFile);
  code = vfs->xOpen(
      vfs, wal ? sqlite3_filename_wal(handle->name) : handle->name, handle->file, flags, 0);
  if (code != SQLITE_OK) {
    latchkey_vfs_close(*handle);
    handle->name = 0;
    handle->file = 0;
  }
  return code;
}

/// Tells whether `path` (or its write-ahead log) exists for the VFS. Returns 0 or 1, or -1 when that
/// cannot be told.
static inline int latchkey_vfs_exists(
    const char *_Nullable vfs_name, const char *_Nonnull path, int wal) {
  sqlite3_vfs *vfs = sqlite3_vfs_find(vfs_name);
  int found = 0;
  int code;
  char *name;
  if (vfs == 0) return -1;
  name = sqlite3_mprintf(wal ? "%s-wal" : "%s", path);
  if (name == 0) return -1;
  code = vfs->xAccess(vfs, name, SQLITE_ACCESS_EXISTS, &found);
  sqlite3_free(name);
  return code == SQLITE_OK ? (found != 0) : -1;
}

/// Reads `count` bytes at `offset`; SQLITE_IOERR_SHORT_READ when the file ends before.
static inline int latchkey_vfs_read(
    latchkey_vfs_file handle, void *_Nonnull bytes, int count, sqlite3_int64 offset) {
  return handle.file->pMethods->xRead(handle.file, bytes, count, offset);
}
