// The few system facts that Swift cannot reach by itself: variadic calls, macros and enums that the
// importer leaves out.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// The soft RLIMIT_MEMLOCK in bytes, or -1 when there is none or CAP_IPC_LOCK lifts it.
int64_t vault_memlock_limit(void);

/// Makes the process undumpable and cuts its core size to zero, so that neither a core file nor
/// another process of the same user can read its memory. Returns 0, or an errno.
int vault_harden_process(void);

/// Marks every descriptor from `first` on as closed at exec. Returns 0, or an errno.
int vault_close_on_exec_from(unsigned first);

/// Raises the soft limit of open files towards `wanted`, as far as the hard limit allows.
/// Returns the soft limit that holds afterwards, or -1.
int64_t vault_raise_open_files(int64_t wanted);

/// Who the kernel says a socket's other end is, or who wrote what was just read.
typedef struct {
  pid_t pid;
  uid_t uid;
  gid_t gid;
  /// Whether the kernel said so at all.
  int32_t known;
} vault_sender;

/// Reads SO_PEERCRED: who connected. Returns 0, or an errno.
int vault_peer(int socket, vault_sender *peer);

/// Reads SO_PEERGROUPS into at most `capacity` groups. Returns how many there are (the array holds
/// them all only when that is within `capacity`), or a negative errno.
int vault_peer_groups(int socket, gid_t *groups, int capacity);

/// Opens a pidfd of the process that connected (SO_PEERPIDFD), close-on-exec. Returns it, or a
/// negative errno: -ENOPROTOOPT before Linux 6.5, and -ESRCH when the kernel gives none for a
/// process that has ended.
int vault_peer_process(int socket);

/// Tells whether the process of a pidfd has ended (1), lives (0), or cannot be asked about (a
/// negative errno).
int vault_process_ended(int process);

/// Counts the octets that a socket holds for its reader. Returns the count, or a negative errno.
int vault_unread_count(int socket);

/// Asks for the sender's credentials with each read. Returns 0, or an errno.
int vault_pass_credentials(int socket);

/// Tells whether the sender's credentials come with each read (1), do not (0), or cannot be asked
/// for (a negative errno).
int vault_passes_credentials(int socket);

/// Reads once without blocking, together with the sender's credentials. Descriptors sent along are
/// not taken in: there is no room for them, and one that arrived all the same would be closed.
/// Returns the octets read, 0 at the end of input, or a negative errno.
ssize_t vault_receive(int socket, void *buffer, size_t count, vault_sender *sender);

/// Tells whether a descriptor is a listening AF_UNIX stream socket (1), is not (0), or cannot be
/// asked (a negative errno).
int vault_is_unix_listener(int descriptor);

/// Binds a new close-on-exec, non-blocking AF_UNIX stream socket to a path and does not listen yet.
/// Returns the descriptor, or a negative errno.
int vault_bind_unix(const char *path);

/// Connects a new socket to a path without waiting. Returns the descriptor, or a negative errno;
/// -EAGAIN means a server is there whose queue is full.
int vault_connect_unix(const char *path);

/// The longest path that fits an AF_UNIX address, without its terminator.
size_t vault_unix_path_limit(void);

/// Sends one datagram to the socket that NOTIFY_SOCKET names; a leading `@` means the abstract
/// namespace. Returns 0, or an errno.
int vault_notify(const char *address, const char *message);

/// Makes a signalfd for SIGTERM, SIGINT and SIGHUP and blocks the three in the calling thread.
/// Returns the descriptor, or a negative errno.
int vault_open_signals(void);

/// Takes one signal from such a descriptor. Returns its number, 0 when there is none, or a negative
/// errno.
int vault_take_signal(int descriptor);

/// Ignores SIGPIPE and SIGXFSZ for the whole process: a write that fails says so by itself.
void vault_ignore_write_signals(void);

/// Names the calling thread for tools; at most 15 bytes.
void vault_name_thread(const char *name);

/// Accepts a connection, close-on-exec and non-blocking. Returns the descriptor, or a negative
/// errno.
int vault_accept(int listener);

/// Makes an eventfd: a counting one that blocks its readers, or one to be polled. Returns the
/// descriptor, or a negative errno.
int vault_bell_open(int blocks);

/// Adds one to an eventfd.
void vault_bell_ring(int bell);

/// Waits until a blocking eventfd has been rung once more than it was waited for.
void vault_bell_wait(int bell);

/// The EPOLL bits by names that the importer sees.
#define VAULT_READABLE 0x001u
#define VAULT_WRITABLE 0x004u
#define VAULT_FAILED 0x008u
#define VAULT_HUNG_UP 0x010u
#define VAULT_ON_EDGE 0x80000000u

/// One event of a poll set: the token given at registration, and the bits.
typedef struct {
  uint64_t token;
  uint32_t events;
} vault_event;

/// Makes a poll set. Returns the descriptor, or a negative errno.
int vault_poll_open(void);

/// Adds (`change` 0) or changes (`change` 1) a descriptor of a poll set. Returns 0, or an errno.
int vault_poll_set(int set, int descriptor, uint32_t events, uint64_t token, int change);

/// Takes a descriptor out of a poll set.
void vault_poll_remove(int set, int descriptor);

/// Waits at most `milliseconds` (-1: without end) for up to `capacity` events, at most 128.
/// Returns how many came, or a negative errno.
int vault_poll_wait(int set, vault_event *events, int capacity, int milliseconds);
