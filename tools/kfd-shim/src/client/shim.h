/*
 * The parts of the preloaded library. It runs inside a program that does not know of it: no output, errno only where the
 * system call that it stands for would set it, memory of its own only.
 */
#ifndef DOORBELL_SHIM_H
#define DOORBELL_SHIM_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define SHIM_PAGE 4096ul
#define EXPORT __attribute__((visibility("default")))

/* ---- transport.c: calls to the server ------------------------------------------------------------------------- */

enum shim_op { OP_HELLO = 1, OP_IOCTL = 2, OP_OPEN = 3, OP_MMAP = 4, OP_REFRESH = 5 };

struct shim_part {
  const void *bytes;
  size_t size;
};

/* Sends a request and waits for the answer; the calling thread has a connection of its own. The answer's status is returned,
 * its bytes are in *answer until the thread's next call. -ENXIO: there is no server. */
long shim_call(enum shim_op op, const struct shim_part *parts, size_t count, const uint8_t **answer, size_t *size);

/* Folder of the emulated machine's files, without a slash at the end; NULL when DOORBELL_KFD_SOCKET is not set. */
const char *shim_root(void);

/* The file that is the memory of the emulated machine, opened by this process; negative errno when there is none. */
int shim_memory_file(void);

/* ---- handles.c: descriptors that stand for device files ------------------------------------------------------- */

enum shim_kind { KIND_NONE, KIND_KFD, KIND_RENDER, KIND_DMABUF };

struct shim_handle {
  enum shim_kind kind;
  /* The server's number of the file; minor of the device node. */
  int id;
  unsigned minor;
  /* Process that opened it. */
  pid_t owner;
};

/* A new descriptor for a device file; -1 with errno. The file is told by its inode, so that copies of the descriptor are the same. */
int shim_handle_create(struct shim_handle handle, int open_flags);
/* What a descriptor stands for. */
struct shim_handle shim_handle_of(int fd);

/* ---- ioctl.c, memory.c ---------------------------------------------------------------------------------------- */

int shim_ioctl(struct shim_handle handle, unsigned long request, uint8_t *arg);
void *shim_map_device(struct shim_handle handle, void *address, size_t size, int protection, int flags, uint64_t offset);

/* Copies memory of the program that may not be there: 0, or -1 with errno EFAULT. */
int shim_copy_in(void *to, uint64_t from, size_t size);
int shim_copy_out(uint64_t to, const void *from, size_t size);

/* Memory of the program that GPUs shall see. `check`: whether all of it can be shared. `share`: replaces the pages by those of the
 * memory file at `place`, with the same bytes. `unshare`: the pages are the program's own again, if this is the last buffer over them; then `forget`,
 * or `keep`, which undoes it. */
int shim_userptr_check(uint64_t address, uint64_t size);
int shim_userptr_share(uint64_t handle, uint64_t address, uint64_t size, uint64_t place);
void shim_userptr_unshare(uint64_t handle);
void shim_userptr_forget(uint64_t handle);
void shim_userptr_keep(uint64_t handle);
void shim_userptr_lock(void);
void shim_userptr_unlock(void);

#endif
