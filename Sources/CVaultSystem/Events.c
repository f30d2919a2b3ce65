#define _GNU_SOURCE
#include "CVaultSystem.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

int vault_open_signals(void) {
  sigset_t taken;
  sigemptyset(&taken);
  sigaddset(&taken, SIGTERM);
  sigaddset(&taken, SIGINT);
  sigaddset(&taken, SIGHUP);
  const int failure = pthread_sigmask(SIG_BLOCK, &taken, NULL);
  if (failure != 0) return -failure;
  const int descriptor = signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK);
  return descriptor < 0 ? -errno : descriptor;
}

int vault_take_signal(int descriptor) {
  struct signalfd_siginfo info;
  const ssize_t got = read(descriptor, &info, sizeof info);
  if (got < 0) return errno == EAGAIN ? 0 : -errno;
  return got == sizeof info ? (int)info.ssi_signo : -EPROTO;
}

void vault_ignore_write_signals(void) {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
}

void vault_name_thread(const char *name) {
  pthread_setname_np(pthread_self(), name);
}

int vault_accept(int listener) {
  const int made = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  return made < 0 ? -errno : made;
}

int vault_bell_open(int blocks) {
  const int bell = eventfd(0, EFD_CLOEXEC | (blocks ? EFD_SEMAPHORE : EFD_NONBLOCK));
  return bell < 0 ? -errno : bell;
}

void vault_bell_ring(int bell) {
  // A counter that is full is ready all the same.
  (void)!eventfd_write(bell, 1);
}

void vault_bell_wait(int bell) {
  eventfd_t value;
  while (eventfd_read(bell, &value) != 0 && errno == EINTR) continue;
}

_Static_assert(
    VAULT_READABLE == EPOLLIN && VAULT_WRITABLE == EPOLLOUT && VAULT_FAILED == EPOLLERR &&
        VAULT_HUNG_UP == EPOLLHUP && VAULT_ON_EDGE == (uint32_t)EPOLLET,
    "the names follow the kernel");

int vault_poll_open(void) {
  const int set = epoll_create1(EPOLL_CLOEXEC);
  return set < 0 ? -errno : set;
}

void vault_poll_remove(int set, int descriptor) {
  epoll_ctl(set, EPOLL_CTL_DEL, descriptor, NULL);
}

int vault_poll_set(int set, int descriptor, uint32_t events, uint64_t token, int change) {
  struct epoll_event event = {.events = events, .data = {.u64 = token}};
  const int operation = change ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
  return epoll_ctl(set, operation, descriptor, &event) == 0 ? 0 : errno;
}

int vault_poll_wait(int set, vault_event *events, int capacity, int milliseconds) {
  struct epoll_event batch[128];
  if (capacity > 128) capacity = 128;
  const int count = epoll_wait(set, batch, capacity, milliseconds);
  if (count < 0) return -errno;
  for (int index = 0; index < count; index++)
    events[index] = (vault_event){batch[index].data.u64, batch[index].events};
  return count;
}
