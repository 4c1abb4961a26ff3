/* The connection to the server: one for each thread, so that a thread that waits holds up no other one. */
#define _GNU_SOURCE
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define MAX_PARTS 16

/* Every request and answer begins with this; `code` is the operation, or the status. */
struct frame {
  uint32_t size;
  int32_t code;
};

struct connection {
  int fd;
  pid_t owner;
  uint8_t *buffer;
  size_t capacity;
};

static __thread struct connection own = {-1, 0, NULL, 0};
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
/* Tells this process from an earlier one with the same number. */
static uint64_t nonce;
static pid_t nonce_owner;
static int memory_file = -1;
static pid_t memory_owner;

static void close_connection(void *connection) {
  struct connection *c = connection;
  if (c->fd >= 0 && c->owner == getpid()) close(c->fd);
  if (c->buffer != NULL) munmap(c->buffer, c->capacity);
  memset(c, 0, sizeof *c);
  c->fd = -1;
}

static void make_key(void) { pthread_key_create(&key, close_connection); }

static int write_all(int fd, struct iovec *parts, size_t count) {
  while (count > 0) {
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = count};
    ssize_t sent = sendmsg(fd, &message, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return -1;
    while (count > 0 && (size_t)sent >= parts->iov_len) {
      sent -= (ssize_t)parts->iov_len;
      parts++;
      count--;
    }
    if (count > 0) {
      parts->iov_base = (uint8_t *)parts->iov_base + sent;
      parts->iov_len -= (size_t)sent;
    }
  }
  return 0;
}

static int read_all(int fd, uint8_t *to, size_t size) {
  while (size > 0) {
    ssize_t got = recv(fd, to, size, MSG_WAITALL);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return -1;
    to += got;
    size -= (size_t)got;
  }
  return 0;
}

static int reserve_buffer(size_t size) {
  if (size <= own.capacity) return 0;
  size_t capacity = (size + SHIM_PAGE - 1) / SHIM_PAGE * SHIM_PAGE;
  void *fresh = mmap(NULL, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (fresh == MAP_FAILED) return -1;
  if (own.buffer != NULL) munmap(own.buffer, own.capacity);
  own.buffer = fresh;
  own.capacity = capacity;
  return 0;
}

static long exchange(int op, const struct shim_part *parts, size_t count, const uint8_t **answer, size_t *size) {
  struct frame head = {0, op};
  struct iovec vectors[MAX_PARTS + 1] = {{&head, sizeof head}};
  for (size_t i = 0; i < count; i++) {
    vectors[i + 1].iov_base = (void *)parts[i].bytes;
    vectors[i + 1].iov_len = parts[i].size;
    head.size += (uint32_t)parts[i].size;
  }
  if (write_all(own.fd, vectors, count + 1) != 0 || read_all(own.fd, (uint8_t *)&head, sizeof head) != 0) return -ENXIO;
  if (reserve_buffer(head.size) != 0) return -ENOMEM;
  if (read_all(own.fd, own.buffer, head.size) != 0) return -ENXIO;
  if (answer != NULL) *answer = own.buffer;
  if (size != NULL) *size = head.size;
  return head.code;
}

struct hello {
  uint64_t process;
  uint64_t nonce;
};

/* What the server answers: where its memory file is. */
struct hello_answer {
  uint32_t server;
  uint32_t file;
};

static long say_hello(void) {
  pthread_mutex_lock(&lock);
  if (nonce_owner != getpid()) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    nonce = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    nonce_owner = getpid();
  }
  struct hello hello = {(uint64_t)getpid(), nonce};
  pthread_mutex_unlock(&lock);
  struct shim_part part = {&hello, sizeof hello};
  const uint8_t *answer;
  size_t size;
  long status = exchange(OP_HELLO, &part, 1, &answer, &size);
  if (status != 0) return status;
  if (size < sizeof(struct hello_answer)) return -EPROTO;
  struct hello_answer at;
  memcpy(&at, answer, sizeof at);
  pthread_mutex_lock(&lock);
  if (memory_owner != getpid()) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%u/fd/%u", at.server, at.file);
    memory_file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0);
    memory_owner = getpid();
    if (memory_file < 0) memory_file = -errno;
  }
  status = memory_file < 0 ? memory_file : 0;
  pthread_mutex_unlock(&lock);
  return status;
}

static long connect_thread(void) {
  if (own.fd >= 0 && own.owner == getpid()) return 0;
  const char *path = getenv("DOORBELL_KFD_SOCKET");
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (path == NULL || strlen(path) >= sizeof address.sun_path) return -ENXIO;
  strcpy(address.sun_path, path);
  pthread_once(&once, make_key);
  /* A connection that a parent process made stays the parent's. */
  if (own.fd >= 0) close(own.fd);
  own.owner = getpid();
  own.fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (own.fd < 0) return -errno;
  pthread_setspecific(key, &own);
  long status = connect(own.fd, (struct sockaddr *)&address, sizeof address) == 0 ? say_hello() : -ENXIO;
  if (status != 0) close_connection(&own);
  return status;
}

long shim_call(enum shim_op op, const struct shim_part *parts, size_t count, const uint8_t **answer, size_t *size) {
  if (count > MAX_PARTS) return -E2BIG;
  long status = connect_thread();
  return status != 0 ? status : exchange(op, parts, count, answer, size);
}

int shim_memory_file(void) {
  long status = connect_thread();
  return status != 0 ? (int)status : memory_file;
}

const char *shim_root(void) {
  static __thread char root[256];
  const char *path = getenv("DOORBELL_KFD_SOCKET");
  const char *end = path == NULL ? NULL : strrchr(path, '/');
  if (end == NULL || (size_t)(end - path) + sizeof "/root" > sizeof root) return NULL;
  snprintf(root, sizeof root, "%.*s/root", (int)(end - path), path);
  return root;
}
