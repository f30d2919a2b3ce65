// The few system facts that Swift cannot reach by itself: variadic calls, macros and enums that the
// importer leaves out.
#pragma once

#include <stdint.h>

/// The soft RLIMIT_MEMLOCK in bytes, or -1 when there is none.
int64_t vault_memlock_limit(void);

/// Makes the process undumpable and cuts its core size to zero, so that neither a core file nor
/// another process of the same user can read its memory. Returns 0, or an errno.
int vault_harden_process(void);
