#include "CFaultVFS.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  sqlite3_vfs vfs;
  sqlite3_vfs *base;
  fault_vfs_observer observer;
  void *context;
} fault_vfs;

typedef struct {
  sqlite3_file file;
  fault_vfs *owner;
  char *path;
  // A log or journal that was made and not synced since: its first sync covers its name as well,
  // as in SQLite's own unix VFS.
  int is_new;
  sqlite3_file *real;
} fault_file;

static int observe(
    fault_vfs *vfs, int operation, const char *path, int64_t offset, const void *bytes,
    int64_t count) {
  return vfs->observer(vfs->context, operation, path, offset, bytes, count);
}

// The code for a refused operation; errno is what xGetLastError of the base VFS then gives.
static int refused(int error, int code) {
  errno = error;
  return error == ENOSPC && code == SQLITE_IOERR_WRITE ? SQLITE_FULL : code;
}

static int file_close(sqlite3_file *raw) {
  fault_file *file = (fault_file *)raw;
  int code = file->real->pMethods ? file->real->pMethods->xClose(file->real) : SQLITE_OK;
  free(file->real);
  free(file->path);
  return code;
}

static int file_read(sqlite3_file *raw, void *bytes, int count, sqlite3_int64 offset) {
  fault_file *file = (fault_file *)raw;
  int error = observe(file->owner, FAULT_VFS_READ, file->path, offset, 0, count);
  if (error) return refused(error, SQLITE_IOERR_READ);
  return file->real->pMethods->xRead(file->real, bytes, count, offset);
}

static int file_write(sqlite3_file *raw, const void *bytes, int count, sqlite3_int64 offset) {
  fault_file *file = (fault_file *)raw;
  int error = observe(file->owner, FAULT_VFS_WRITE, file->path, offset, bytes, count);
  if (error) return refused(error, SQLITE_IOERR_WRITE);
  return file->real->pMethods->xWrite(file->real, bytes, count, offset);
}

static int file_truncate(sqlite3_file *raw, sqlite3_int64 size) {
  fault_file *file = (fault_file *)raw;
  int error = observe(file->owner, FAULT_VFS_TRUNCATE, file->path, size, 0, 0);
  if (error) return refused(error, SQLITE_IOERR_TRUNCATE);
  return file->real->pMethods->xTruncate(file->real, size);
}

static int file_sync(sqlite3_file *raw, int flags) {
  fault_file *file = (fault_file *)raw;
  int error = observe(file->owner, FAULT_VFS_SYNC, file->path, 0, 0, 0);
  if (error) return refused(error, SQLITE_IOERR_FSYNC);
  if (file->is_new) {
    error = observe(file->owner, FAULT_VFS_SYNC_DIRECTORY, file->path, 0, 0, 0);
    if (error) return refused(error, SQLITE_IOERR_DIR_FSYNC);
    file->is_new = 0;
  }
  return file->real->pMethods->xSync(file->real, flags);
}

static int file_size(sqlite3_file *raw, sqlite3_int64 *size) {
  fault_file *file = (fault_file *)raw;
  return file->real->pMethods->xFileSize(file->real, size);
}

static int file_lock(sqlite3_file *raw, int level) {
  fault_file *file = (fault_file *)raw;
  return file->real->pMethods->xLock(file->real, level);
}

static int file_unlock(sqlite3_file *raw, int level) {
  fault_file *file = (fault_file *)raw;
  return file->real->pMethods->xUnlock(file->real, level);
}

static int file_check_reserved(sqlite3_file *raw, int *result) {
  fault_file *file = (fault_file *)raw;
  return file->real->pMethods->xCheckReservedLock(file->real, result);
}

static int file_control(sqlite3_file *raw, int operation, void *argument) {
  fault_file *file = (fault_file *)raw;
  // SIZE_HINT and CHUNK_SIZE would let the base VFS change the size unseen.
  if (operation == SQLITE_FCNTL_SIZE_HINT || operation == SQLITE_FCNTL_CHUNK_SIZE) {
    return SQLITE_NOTFOUND;
  }
  return file->real->pMethods->xFileControl(file->real, operation, argument);
}

static int file_sector_size(sqlite3_file *raw) {
  fault_file *file = (fault_file *)raw;
  return file->real->pMethods->xSectorSize(file->real);
}

static int file_characteristics(sqlite3_file *raw) {
  fault_file *file = (fault_file *)raw;
  return file->real->pMethods->xDeviceCharacteristics(file->real);
}

static int shm_map(sqlite3_file *raw, int page, int size, int extend, void volatile **result) {
  fault_file *file = (fault_file *)raw;
  return file->real->pMethods->xShmMap(file->real, page, size, extend, result);
}

static int shm_lock(sqlite3_file *raw, int offset, int count, int flags) {
  fault_file *file = (fault_file *)raw;
  return file->real->pMethods->xShmLock(file->real, offset, count, flags);
}

static void shm_barrier(sqlite3_file *raw) {
  fault_file *file = (fault_file *)raw;
  file->real->pMethods->xShmBarrier(file->real);
}

static int shm_unmap(sqlite3_file *raw, int remove) {
  fault_file *file = (fault_file *)raw;
  return file->real->pMethods->xShmUnmap(file->real, remove);
}

// Version 2: no xFetch, so that no page is read or written through a mapping.
static const sqlite3_io_methods methods = {
    2,           file_close,  file_read,           file_write,   file_truncate,
    file_sync,   file_size,   file_lock,           file_unlock,  file_check_reserved,
    file_control, file_sector_size, file_characteristics, shm_map, shm_lock,
    shm_barrier, shm_unmap,   0,                   0};

static int vfs_open(
    sqlite3_vfs *raw, sqlite3_filename path, sqlite3_file *result, int flags, int *out_flags) {
  fault_vfs *vfs = (fault_vfs *)raw;
  fault_file *file = (fault_file *)result;
  int exists = 1;
  memset(file, 0, sizeof *file);
  if (path != 0 && (flags & SQLITE_OPEN_CREATE)) {
    vfs->base->xAccess(vfs->base, path, SQLITE_ACCESS_EXISTS, &exists);
    if (!exists) {
      int error = observe(vfs, FAULT_VFS_CREATE, path, 0, 0, 0);
      if (error) return refused(error, SQLITE_CANTOPEN);
    }
  }
  file->real = calloc(1, (size_t)vfs->base->szOsFile);
  file->path = strdup(path ? path : "");
  if (file->real == 0 || file->path == 0) return SQLITE_NOMEM;
  int code = vfs->base->xOpen(vfs->base, path, file->real, flags, out_flags);
  if (code != SQLITE_OK) {
    if (file->real->pMethods) file->real->pMethods->xClose(file->real);
    free(file->real);
    free(file->path);
    return code;
  }
  file->owner = vfs;
  file->is_new = !exists && (flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL)) != 0;
  file->file.pMethods = &methods;
  return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *raw, const char *path, int sync_directory) {
  fault_vfs *vfs = (fault_vfs *)raw;
  int error = observe(vfs, FAULT_VFS_DELETE, path, 0, 0, 0);
  if (error) return refused(error, SQLITE_IOERR_DELETE);
  if (sync_directory) observe(vfs, FAULT_VFS_SYNC_DIRECTORY, path, 0, 0, 0);
  return vfs->base->xDelete(vfs->base, path, sync_directory);
}

static int vfs_access(sqlite3_vfs *raw, const char *path, int flags, int *result) {
  fault_vfs *vfs = (fault_vfs *)raw;
  return vfs->base->xAccess(vfs->base, path, flags, result);
}

static int vfs_full_path(sqlite3_vfs *raw, const char *path, int count, char *result) {
  fault_vfs *vfs = (fault_vfs *)raw;
  return vfs->base->xFullPathname(vfs->base, path, count, result);
}

static int vfs_randomness(sqlite3_vfs *raw, int count, char *result) {
  fault_vfs *vfs = (fault_vfs *)raw;
  return vfs->base->xRandomness(vfs->base, count, result);
}

static int vfs_sleep(sqlite3_vfs *raw, int microseconds) {
  fault_vfs *vfs = (fault_vfs *)raw;
  return vfs->base->xSleep(vfs->base, microseconds);
}

static int vfs_time(sqlite3_vfs *raw, double *result) {
  fault_vfs *vfs = (fault_vfs *)raw;
  return vfs->base->xCurrentTime(vfs->base, result);
}

static int vfs_last_error(sqlite3_vfs *raw, int count, char *result) {
  fault_vfs *vfs = (fault_vfs *)raw;
  return vfs->base->xGetLastError(vfs->base, count, result);
}

int fault_vfs_register(const char *name, fault_vfs_observer observer, void *context) {
  fault_vfs *vfs = calloc(1, sizeof *vfs);
  if (vfs == 0) return SQLITE_NOMEM;
  vfs->base = sqlite3_vfs_find(0);
  if (vfs->base == 0) return SQLITE_ERROR;
  vfs->observer = observer;
  vfs->context = context;
  vfs->vfs.iVersion = 1;
  vfs->vfs.szOsFile = sizeof(fault_file);
  vfs->vfs.mxPathname = vfs->base->mxPathname;
  vfs->vfs.zName = name;
  vfs->vfs.xOpen = vfs_open;
  vfs->vfs.xDelete = vfs_delete;
  vfs->vfs.xAccess = vfs_access;
  vfs->vfs.xFullPathname = vfs_full_path;
  vfs->vfs.xRandomness = vfs_randomness;
  vfs->vfs.xSleep = vfs_sleep;
  vfs->vfs.xCurrentTime = vfs_time;
  vfs->vfs.xGetLastError = vfs_last_error;
  return sqlite3_vfs_register(&vfs->vfs, 0);
}
