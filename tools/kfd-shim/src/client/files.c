/*
 * What the program calls: functions of libc that open, look at and control files. Paths of the machine's GPUs and of what goes with them
 * lead into the folder of the emulated machine's files; /dev/kfd and /dev/dri/renderD* are made up; everything else is passed on.
 */
#define _GNU_SOURCE
#include "shim.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* Linux character device major of DRM; that of the KFD is dynamic. */
#define DRM_MAJOR 226
#define KFD_MAJOR 240
#define RENDER_PREFIX "/dev/dri/renderD"

/* Whose files are the emulated machine's. `also_real`: what it does not have is looked for in the real one. */
static const struct {
  const char *prefix;
  int also_real;
} places[] = {
    {"/sys/devices/virtual/kfd", 0}, {"/sys/class/kfd", 0},      {"/sys/class/drm", 0},
    {"/sys/bus/pci", 0},             {"/sys/dev/char/226:", 0},  {"/sys/devices/pci", 0},
    {"/sys/module/amdgpu", 0},       {"/proc/cpuinfo", 0},       {"/proc/modules", 0},
    {"/dev/dri", 0},                 {"/usr/share/libdrm/", 1},  {"/sys/devices/system/cpu", 1},
    {"/sys/devices/system/node", 1},
};

static long real_stat(int folder, const char *path, struct stat *out, int flags) {
  return syscall(SYS_newfstatat, folder, path, out, flags);
}

/* The path to use instead of `path`: itself, or one in `room`. */
static const char *redirect(const char *path, char room[PATH_MAX]) {
  const char *root = path != NULL && path[0] == '/' ? shim_root() : NULL;
  if (root == NULL) return path;
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    if (strncmp(path, places[i].prefix, strlen(places[i].prefix)) != 0) continue;
    if (snprintf(room, PATH_MAX, "%s%s", root, path) >= PATH_MAX) return path;
    struct stat info;
    int before = errno;
    int is_there = real_stat(AT_FDCWD, room, &info, 0) == 0;
    errno = before;
    if (!is_there && places[i].also_real) return path;
    /* Numbers that change while the machine runs. */
    if (strstr(path, "_used") != NULL || strstr(path, "used_memory") != NULL) shim_call(OP_REFRESH, NULL, 0, NULL, NULL);
    return room;
  }
  return path;
}

/* The device that a path names, without asking the server. */
static struct shim_handle device_at(const char *path) {
  struct shim_handle handle = {KIND_NONE, -1, 0, 0};
  if (path == NULL || shim_root() == NULL) return handle;
  if (strcmp(path, "/dev/kfd") == 0) handle.kind = KIND_KFD;
  if (strncmp(path, RENDER_PREFIX, strlen(RENDER_PREFIX)) == 0) {
    char room[PATH_MAX];
    struct stat info;
    if (real_stat(AT_FDCWD, redirect(path, room), &info, 0) != 0) return handle;
    handle.kind = KIND_RENDER;
    handle.minor = (unsigned)strtoul(path + strlen(RENDER_PREFIX), NULL, 10);
  }
  return handle;
}

static void describe_device(struct shim_handle handle, struct stat *out) {
  memset(out, 0, sizeof *out);
  out->st_mode = S_IFCHR | 0666;
  out->st_nlink = 1;
  out->st_rdev = handle.kind == KIND_KFD ? makedev(KFD_MAJOR, 0) : makedev(DRM_MAJOR, handle.minor);
  out->st_blksize = SHIM_PAGE;
}

static int open_device(struct shim_handle handle, int flags) {
  uint32_t minor = handle.minor;
  struct shim_part part = {&minor, sizeof minor};
  long status = handle.kind == KIND_KFD ? shim_memory_file() : shim_call(OP_OPEN, &part, 1, NULL, NULL);
  if (status < 0) {
    errno = (int)-status;
    return -1;
  }
  if (handle.kind == KIND_RENDER) handle.id = (int)status;
  return shim_handle_create(handle, flags);
}

static int open_path(int folder, const char *path, int flags, mode_t mode) {
  char room[PATH_MAX];
  struct shim_handle device = device_at(path);
  if (device.kind != KIND_NONE) return open_device(device, flags);
  return (int)syscall(SYS_openat, folder, redirect(path, room), flags, mode);
}

static int stat_path(int folder, const char *path, struct stat *out, int flags) {
  char room[PATH_MAX];
  struct shim_handle device = device_at(path);
  if (device.kind == KIND_NONE) return (int)real_stat(folder, redirect(path, room), out, flags);
  describe_device(device, out);
  return 0;
}

static int stat_file(int fd, struct stat *out) {
  struct shim_handle handle = shim_handle_of(fd);
  if (handle.kind == KIND_KFD || handle.kind == KIND_RENDER) {
    describe_device(handle, out);
    return 0;
  }
  return (int)syscall(SYS_fstat, fd, out);
}

#define MODE_OF(flags, mode)                                  \
  mode_t mode = 0;                                            \
  if (((flags) & O_CREAT) != 0 || ((flags) & O_TMPFILE) != 0) { \
    va_list list;                                             \
    va_start(list, flags);                                    \
    mode = va_arg(list, mode_t);                              \
    va_end(list);                                             \
  }

EXPORT int open(const char *path, int flags, ...) {
  MODE_OF(flags, mode)
  return open_path(AT_FDCWD, path, flags, mode);
}
EXPORT int open64(const char *path, int flags, ...) {
  MODE_OF(flags, mode)
  return open_path(AT_FDCWD, path, flags, mode);
}
EXPORT int openat(int folder, const char *path, int flags, ...) {
  MODE_OF(flags, mode)
  return open_path(folder, path, flags, mode);
}
EXPORT int openat64(int folder, const char *path, int flags, ...) {
  MODE_OF(flags, mode)
  return open_path(folder, path, flags, mode);
}
/* What fortified programs call when there is no mode. */
EXPORT int __open_2(const char *path, int flags) { return open_path(AT_FDCWD, path, flags, 0); }
EXPORT int __open64_2(const char *path, int flags) { return open_path(AT_FDCWD, path, flags, 0); }
EXPORT int __openat_2(int folder, const char *path, int flags) { return open_path(folder, path, flags, 0); }
EXPORT int __openat64_2(int folder, const char *path, int flags) { return open_path(folder, path, flags, 0); }

EXPORT int stat(const char *restrict path, struct stat *restrict out) { return stat_path(AT_FDCWD, path, out, 0); }
EXPORT int stat64(const char *restrict path, struct stat64 *restrict out) {
  return stat_path(AT_FDCWD, path, (struct stat *)out, 0);
}
EXPORT int lstat(const char *restrict path, struct stat *restrict out) {
  return stat_path(AT_FDCWD, path, out, AT_SYMLINK_NOFOLLOW);
}
EXPORT int lstat64(const char *restrict path, struct stat64 *restrict out) {
  return stat_path(AT_FDCWD, path, (struct stat *)out, AT_SYMLINK_NOFOLLOW);
}
EXPORT int fstat(int fd, struct stat *out) { return stat_file(fd, out); }
EXPORT int fstat64(int fd, struct stat64 *out) { return stat_file(fd, (struct stat *)out); }
EXPORT int fstatat(int folder, const char *restrict path, struct stat *restrict out, int flags) {
  return (flags & AT_EMPTY_PATH) != 0 && path[0] == 0 ? stat_file(folder, out) : stat_path(folder, path, out, flags);
}
EXPORT int fstatat64(int folder, const char *restrict path, struct stat64 *restrict out, int flags) {
  return fstatat(folder, path, (struct stat *)out, flags);
}

/* What programs of today call in place of stat. */
EXPORT int statx(int folder, const char *restrict path, int flags, unsigned mask, struct statx *restrict out) {
  char room[PATH_MAX];
  struct shim_handle device = (flags & AT_EMPTY_PATH) != 0 && path[0] == 0 ? shim_handle_of(folder) : device_at(path);
  if (device.kind != KIND_KFD && device.kind != KIND_RENDER) {
    return (int)syscall(SYS_statx, folder, redirect(path, room), flags, mask, out);
  }
  struct stat info;
  describe_device(device, &info);
  memset(out, 0, sizeof *out);
  out->stx_mask = STATX_TYPE | STATX_MODE | STATX_NLINK | STATX_UID | STATX_GID;
  out->stx_mode = (uint16_t)info.st_mode;
  out->stx_nlink = 1;
  out->stx_blksize = (uint32_t)info.st_blksize;
  out->stx_rdev_major = major(info.st_rdev);
  out->stx_rdev_minor = minor(info.st_rdev);
  return 0;
}

EXPORT int access(const char *path, int mode) {
  char room[PATH_MAX];
  return device_at(path).kind != KIND_NONE ? 0 : (int)syscall(SYS_access, redirect(path, room), mode);
}
EXPORT ssize_t readlink(const char *restrict path, char *restrict out, size_t size) {
  char room[PATH_MAX];
  return syscall(SYS_readlink, redirect(path, room), out, size);
}

/* The real function of that name. */
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

EXPORT FILE *fopen(const char *restrict path, const char *restrict mode) {
  char room[PATH_MAX];
  return NEXT(fopen)(redirect(path, room), mode);
}
EXPORT FILE *fopen64(const char *restrict path, const char *restrict mode) {
  char room[PATH_MAX];
  return NEXT(fopen64)(redirect(path, room), mode);
}
EXPORT DIR *opendir(const char *path) {
  char room[PATH_MAX];
  return NEXT(opendir)(redirect(path, room));
}
EXPORT char *realpath(const char *restrict path, char *restrict out) {
  char room[PATH_MAX];
  const char *used = redirect(path, room);
  char *found = NEXT(realpath)(used, out);
  /* As seen from inside the emulated machine. */
  const char *root = shim_root();
  if (found != NULL && used != path && root != NULL && strncmp(found, root, strlen(root)) == 0) {
    memmove(found, found + strlen(root), strlen(found + strlen(root)) + 1);
  }
  return found;
}
EXPORT char *__realpath_chk(const char *path, char *out, size_t size) {
  (void)size;
  return realpath(path, out);
}

EXPORT int ioctl(int fd, unsigned long request, ...) {
  va_list list;
  va_start(list, request);
  void *arg = va_arg(list, void *);
  va_end(list);
  if (_IOC_TYPE(request) == 'K' || _IOC_TYPE(request) == 'd') {
    struct shim_handle handle = shim_handle_of(fd);
    if (handle.kind != KIND_NONE) return shim_ioctl(handle, request, arg);
  }
  return (int)syscall(SYS_ioctl, fd, request, arg);
}

EXPORT void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset) {
  if (fd >= 0 && (flags & MAP_ANONYMOUS) == 0) {
    struct shim_handle handle = shim_handle_of(fd);
    if (handle.kind != KIND_NONE) return shim_map_device(handle, address, size, protection, flags, (uint64_t)offset);
  }
  return (void *)syscall(SYS_mmap, address, size, protection, flags, fd, offset);
}
EXPORT void *mmap64(void *address, size_t size, int protection, int flags, int fd, off_t offset) {
  return mmap(address, size, protection, flags, fd, offset);
}
