/* Descriptors of device files: empty files in memory of this process, known by their inodes. */
#define _GNU_SOURCE
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAX_HANDLES 1024

static struct {
  dev_t device;
  ino_t inode;
  struct shim_handle handle;
} known[MAX_HANDLES];
static size_t count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int real_fstat(int fd, struct stat *out) { return (int)syscall(SYS_fstat, fd, out); }

int shim_handle_create(struct shim_handle handle, int open_flags) {
  int fd = memfd_create("doorbell-device", (open_flags & O_CLOEXEC) != 0 ? MFD_CLOEXEC : 0);
  struct stat info;
  if (fd < 0 || real_fstat(fd, &info) != 0) return -1;
  handle.owner = getpid();
  pthread_mutex_lock(&lock);
  int room = count < MAX_HANDLES;
  if (room) {
    known[count].device = info.st_dev;
    known[count].inode = info.st_ino;
    known[count].handle = handle;
    count++;
  }
  pthread_mutex_unlock(&lock);
  if (room) return fd;
  close(fd);
  errno = EMFILE;
  return -1;
}

struct shim_handle shim_handle_of(int fd) {
  struct shim_handle found = {KIND_NONE, 0, 0, 0};
  struct stat info;
  int before = errno;
  if (count > 0 && real_fstat(fd, &info) == 0) {
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count; i++) {
      if (known[i].inode == info.st_ino && known[i].device == info.st_dev) found = known[i].handle;
    }
    pthread_mutex_unlock(&lock);
  }
  errno = before;
  return found;
}
