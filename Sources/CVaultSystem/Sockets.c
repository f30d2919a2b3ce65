#define _GNU_SOURCE
#include "CVaultSystem.h"

#include <errno.h>
#include <linux/sockios.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

int vault_peer(int socket, vault_sender *peer) {
  struct ucred credentials;
  socklen_t size = sizeof credentials;
  memset(peer, 0, sizeof *peer);
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return errno;
  if (size != sizeof credentials) return EPROTO;
  *peer = (vault_sender){credentials.pid, credentials.uid, credentials.gid, 1};
  return 0;
}

int vault_peer_groups(int socket, gid_t *groups, int capacity) {
  if (capacity < 0) return -EINVAL;
  socklen_t size = (socklen_t)capacity * sizeof(gid_t);
  // ERANGE leaves the size that is needed behind.
  if (getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups, &size) != 0 && errno != ERANGE)
    return -errno;
  return (int)(size / sizeof(gid_t));
}

int vault_peer_process(int socket) {
  int process;
  socklen_t size = sizeof process;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &process, &size) != 0)
    return errno == EINVAL ? -ESRCH : -errno;
  return size == sizeof process ? process : -EPROTO;
}

int vault_process_ended(int process) {
  struct pollfd asked = {process, POLLIN, 0};
  const int count = poll(&asked, 1, 0);
  if (count < 0) return -errno;
  return asked.revents & POLLNVAL ? -EBADF : count;
}

int vault_unread_count(int socket) {
  int count;
  return ioctl(socket, SIOCINQ, &count) == 0 ? count : -errno;
}

int vault_pass_credentials(int socket) {
  const int on = 1;
  return setsockopt(socket, SOL_SOCKET, SO_PASSCRED, &on, sizeof on) == 0 ? 0 : errno;
}

ssize_t vault_receive(int socket, void *buffer, size_t count, vault_sender *sender) {
  // Room for the credentials alone: the kernel drops descriptors that do not fit.
  union {
    struct cmsghdr header;
    unsigned char space[CMSG_SPACE(sizeof(struct ucred))];
  } control;
  struct iovec part = {buffer, count};
  struct msghdr message = {0};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = &control;
  message.msg_controllen = sizeof control;
  memset(sender, 0, sizeof *sender);

  const ssize_t got = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (got < 0) return -errno;
  for (struct cmsghdr *item = CMSG_FIRSTHDR(&message); item; item = CMSG_NXTHDR(&message, item)) {
    if (item->cmsg_level != SOL_SOCKET) continue;
    if (item->cmsg_type == SCM_CREDENTIALS && item->cmsg_len == CMSG_LEN(sizeof(struct ucred))) {
      struct ucred credentials;
      memcpy(&credentials, CMSG_DATA(item), sizeof credentials);
      *sender = (vault_sender){credentials.pid, credentials.uid, credentials.gid, 1};
    } else if (item->cmsg_type == SCM_RIGHTS && item->cmsg_len >= CMSG_LEN(0)) {
      const size_t sent = (item->cmsg_len - CMSG_LEN(0)) / sizeof(int);
      for (size_t index = 0; index < sent; index++) {
        int descriptor;
        memcpy(&descriptor, CMSG_DATA(item) + index * sizeof(int), sizeof descriptor);
        close(descriptor);
      }
    }
  }
  return got;
}

static int option(int descriptor, int name, int *value) {
  socklen_t size = sizeof *value;
  return getsockopt(descriptor, SOL_SOCKET, name, value, &size) == 0 ? 0 : errno;
}

int vault_passes_credentials(int socket) {
  int on;
  const int failure = option(socket, SO_PASSCRED, &on);
  return failure == 0 ? on != 0 : -failure;
}

int vault_is_unix_listener(int descriptor) {
  int domain, type, listening;
  int failure = option(descriptor, SO_DOMAIN, &domain);
  if (failure == 0) failure = option(descriptor, SO_TYPE, &type);
  if (failure == 0) failure = option(descriptor, SO_ACCEPTCONN, &listening);
  if (failure == ENOTSOCK) return 0;
  if (failure != 0) return -failure;
  return domain == AF_UNIX && type == SOCK_STREAM && listening != 0;
}

size_t vault_unix_path_limit(void) {
  return sizeof(((struct sockaddr_un *)0)->sun_path) - 1;
}

static int address_of(const char *path, struct sockaddr_un *address) {
  const size_t length = strlen(path);
  if (length > vault_unix_path_limit()) return ENAMETOOLONG;
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  memcpy(address->sun_path, path, length);
  return 0;
}

static int open_and(
    int (*step)(int, const struct sockaddr *, socklen_t), const char *path) {
  struct sockaddr_un address;
  const int failure = address_of(path, &address);
  if (failure != 0) return -failure;
  const int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (made < 0) return -errno;
  if (step(made, (const struct sockaddr *)&address, sizeof address) != 0) {
    const int problem = errno;
    close(made);
    return -problem;
  }
  return made;
}

int vault_bind_unix(const char *path) {
  return open_and(bind, path);
}

int vault_connect_unix(const char *path) {
  return open_and(connect, path);
}

int vault_notify(const char *name, const char *message) {
  struct sockaddr_un address;
  const int failure = address_of(name, &address);
  if (failure != 0) return failure;
  socklen_t size = sizeof address;
  if (name[0] == '@') {
    // An abstract name is exactly as long as its address says, without padding.
    address.sun_path[0] = '\0';
    size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(name));
  }
  const int made = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (made < 0) return errno;
  const ssize_t sent = sendto(
      made, message, strlen(message), MSG_NOSIGNAL | MSG_DONTWAIT,
      (const struct sockaddr *)&address, size);
  const int problem = sent < 0 ? errno : 0;
  close(made);
  return problem;
}
