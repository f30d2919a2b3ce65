// A SQLite VFS for tests: every change goes past a callback, which records it or makes it fail, and
// then to the default VFS.
#pragma once

#include <stdint.h>

enum fault_vfs_operation {
  FAULT_VFS_CREATE = 1,
  FAULT_VFS_WRITE = 2,
  FAULT_VFS_TRUNCATE = 3,
  FAULT_VFS_SYNC = 4,
  FAULT_VFS_DELETE = 5,
  FAULT_VFS_SYNC_DIRECTORY = 6,
  FAULT_VFS_READ = 7,
};

/// Told of an operation before it happens. Returns 0 to let it happen, or an errno to make it fail.
typedef int (*fault_vfs_observer)(
    void *_Nullable context, int operation, const char *_Nonnull path, int64_t offset,
    const void *_Nullable bytes, int64_t count);

/// Registers a VFS under a name; both must live as long as the process. Returns an SQLite code.
int fault_vfs_register(
    const char *_Nonnull name, fault_vfs_observer _Nonnull observer, void *_Nullable context);
