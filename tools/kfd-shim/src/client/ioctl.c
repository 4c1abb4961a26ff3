/* ioctls of the device files: the argument goes to the server, with what its pointers point at. */
#define _GNU_SOURCE
#include "shim.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/kfd_ioctl.h>
#include <string.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define MAX_ARGUMENT 0x4000
#define MAX_POINTERS 3
#define MAX_POINTED 0x1000000ul
/* Numbers that linux/kfd_ioctl.h of Debian 12 (interface 1.11) does not have yet. */
#define NR_EXPORT_DMABUF 0x24

/* The DRM requests that have pointers (drm.h, amdgpu_drm.h: they come with libdrm's headers, not with the kernel's). */
#define DRM_TYPE 'd'
#define NR_DRM_VERSION 0x00
#define NR_DRM_GET_UNIQUE 0x01
#define NR_DRM_AMDGPU_INFO 0x45
struct version {
  int major, minor, patchlevel;
  size_t name_len;
  char *name;
  size_t date_len;
  char *date;
  size_t desc_len;
  char *desc;
};
struct unique {
  size_t unique_len;
  char *unique;
};
struct amdgpu_info {
  uint64_t return_pointer;
  uint32_t return_size;
  uint32_t query;
};

/* A pointer in an argument: `unit` bytes for each of the `count` at another place of the argument, in units of `per`. */
struct pointer {
  uint16_t at;
  uint16_t count_at;
  uint8_t count_size;
  uint16_t unit;
  uint8_t per;
};

struct shape {
  char type;
  uint8_t number;
  uint8_t pointers;
  struct pointer pointer[MAX_POINTERS];
};

#define FIELD(type, field) offsetof(struct type, field), sizeof(((struct type *)0)->field)
#define POINTER(type, pointer, count, unit, per) {offsetof(struct type, pointer), FIELD(type, count), unit, per}
#define KFD(name) AMDKFD_IOCTL_BASE, _IOC_NR(AMDKFD_IOC_##name)
#define DRM(name) DRM_TYPE, NR_DRM_##name

static const struct shape shapes[] = {
    {KFD(WAIT_EVENTS), 1, {POINTER(kfd_ioctl_wait_events_args, events_ptr, num_events, sizeof(struct kfd_event_data), 1)}},
    {KFD(GET_PROCESS_APERTURES_NEW),
     1,
     {POINTER(kfd_ioctl_get_process_apertures_new_args, kfd_process_device_apertures_ptr, num_of_nodes,
              sizeof(struct kfd_process_device_apertures), 1)}},
    {KFD(MAP_MEMORY_TO_GPU), 1, {POINTER(kfd_ioctl_map_memory_to_gpu_args, device_ids_array_ptr, n_devices, 4, 1)}},
    {KFD(UNMAP_MEMORY_FROM_GPU), 1, {POINTER(kfd_ioctl_unmap_memory_from_gpu_args, device_ids_array_ptr, n_devices, 4, 1)}},
    {KFD(SET_CU_MASK), 1, {POINTER(kfd_ioctl_set_cu_mask_args, cu_mask_ptr, num_cu_mask, 1, 8)}},
    {KFD(GET_TILE_CONFIG),
     2,
     {POINTER(kfd_ioctl_get_tile_config_args, tile_config_ptr, num_tile_configs, 4, 1),
      POINTER(kfd_ioctl_get_tile_config_args, macro_tile_config_ptr, num_macro_tile_configs, 4, 1)}},
    {KFD(GET_DMABUF_INFO), 1, {POINTER(kfd_ioctl_get_dmabuf_info_args, metadata_ptr, metadata_size, 1, 1)}},
    {DRM(VERSION),
     3,
     {POINTER(version, name, name_len, 1, 1), POINTER(version, date, date_len, 1, 1),
      POINTER(version, desc, desc_len, 1, 1)}},
    {DRM(GET_UNIQUE), 1, {POINTER(unique, unique, unique_len, 1, 1)}},
    {DRM(AMDGPU_INFO), 1, {POINTER(amdgpu_info, return_pointer, return_size, 1, 1)}},
};

static const struct shape *shape_of(unsigned long request) {
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    if (shapes[i].type == (char)_IOC_TYPE(request) && shapes[i].number == _IOC_NR(request)) return &shapes[i];
  }
  return NULL;
}

static int copy(uint64_t remote, void *local, size_t size, int out) {
  struct iovec mine = {local, size}, theirs = {(void *)remote, size};
  long call = out ? SYS_process_vm_writev : SYS_process_vm_readv;
  if (size == 0 || syscall(call, getpid(), &mine, 1ul, &theirs, 1ul, 0ul) == (long)size) return 0;
  errno = EFAULT;
  return -1;
}

int shim_copy_in(void *to, uint64_t from, size_t size) { return copy(from, to, size, 0); }
int shim_copy_out(uint64_t to, const void *from, size_t size) { return copy(to, (void *)from, size, 1); }

/* What follows the frame of OP_IOCTL: this, the argument, then a segment and its bytes for each pointer. */
struct ioctl_head {
  int32_t file;
  uint32_t request;
  uint32_t size;
  uint32_t segments;
};

struct segment {
  uint32_t at;
  uint32_t size;
};

/* The answer: the argument, the bytes of the segments, and this. */
struct ioctl_tail {
  uint64_t place;
};

struct call {
  uint64_t pointers[MAX_POINTERS];
  struct segment segments[MAX_POINTERS];
  size_t count;
  uint8_t *bytes;
  size_t size;
};

static void release(struct call *call) {
  if (call->bytes != NULL) munmap(call->bytes, call->size);
}

/* Fetches what the pointers of an argument point at. */
static int gather(struct call *call, const struct shape *shape, const uint8_t *arg, size_t size) {
  memset(call, 0, sizeof *call);
  for (size_t i = 0; shape != NULL && i < shape->pointers; i++) {
    const struct pointer *p = &shape->pointer[i];
    uint64_t pointer = 0, units = 0;
    if (p->at + sizeof pointer > size || p->count_at + p->count_size > size) continue;
    memcpy(&pointer, arg + p->at, sizeof pointer);
    memcpy(&units, arg + p->count_at, p->count_size);
    if (pointer == 0 || units == 0) continue;
    if (units > MAX_POINTED) {
      errno = ENOMEM;
      return -1;
    }
    call->pointers[call->count] = pointer;
    call->segments[call->count].at = p->at;
    call->segments[call->count].size = (uint32_t)(units / p->per * p->unit);
    call->size += call->segments[call->count].size;
    call->count++;
  }
  if (call->size == 0) return 0;
  call->bytes = mmap(NULL, call->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (call->bytes == MAP_FAILED) {
    call->bytes = NULL;
    return -1;
  }
  size_t at = 0;
  for (size_t i = 0; i < call->count; i++) {
    if (shim_copy_in(call->bytes + at, call->pointers[i], call->segments[i].size) != 0) return -1;
    at += call->segments[i].size;
  }
  return 0;
}

static int send_call(int file, unsigned long request, uint8_t *arg, uint64_t *place) {
  size_t size = _IOC_SIZE(request);
  struct call call;
  const uint8_t *answer;
  size_t answered;
  if (gather(&call, shape_of(request), arg, size) != 0) {
    release(&call);
    return -1;
  }
  struct ioctl_head head = {file, (uint32_t)request, (uint32_t)size, (uint32_t)call.count};
  struct shim_part parts[2 + 2 * MAX_POINTERS] = {{&head, sizeof head}, {arg, size}};
  size_t count = 2, at = 0;
  for (size_t i = 0; i < call.count; i++) {
    parts[count++] = (struct shim_part){&call.segments[i], sizeof call.segments[i]};
    parts[count++] = (struct shim_part){call.bytes + at, call.segments[i].size};
    at += call.segments[i].size;
  }
  long status = shim_call(OP_IOCTL, parts, count, &answer, &answered);
  if (answered == size + call.size + sizeof(struct ioctl_tail) && status != -ENXIO) {
    /* The driver copies out what it has also when it refuses. Pointers stay the program's own. */
    uint8_t own[MAX_ARGUMENT];
    memcpy(own, answer, size);
    for (size_t i = 0; i < call.count; i++) memcpy(own + call.segments[i].at, &call.pointers[i], sizeof call.pointers[i]);
    memcpy(arg, own, size);
    at = size;
    for (size_t i = 0; i < call.count; i++) {
      if (shim_copy_out(call.pointers[i], answer + at, call.segments[i].size) != 0) status = -EFAULT;
      at += call.segments[i].size;
    }
    if (place != NULL) memcpy(place, answer + at, sizeof *place);
  }
  release(&call);
  if (status >= 0) return (int)status;
  errno = (int)-status;
  return -1;
}

/* Replaces a descriptor in an argument by the server's number of the file, for the time of the call. */
static int send_with_file(int file, unsigned long request, uint8_t *arg, size_t at) {
  int32_t own;
  memcpy(&own, arg + at, sizeof own);
  struct shim_handle handle = shim_handle_of(own);
  int32_t theirs = handle.kind == KIND_RENDER || handle.kind == KIND_DMABUF ? handle.id : -1;
  memcpy(arg + at, &theirs, sizeof theirs);
  int status = send_call(file, request, arg, NULL);
  memcpy(arg + at, &own, sizeof own);
  return status;
}

static int export_dmabuf(unsigned long request, uint8_t *arg) {
  struct {
    uint64_t handle;
    uint32_t flags;
    int32_t file;
  } *args = (void *)arg;
  int status = send_call(-1, request, arg, NULL);
  if (status != 0) return status;
  struct shim_handle handle = {KIND_DMABUF, args->file, 0, 0};
  args->file = shim_handle_create(handle, (int)args->flags);
  return args->file < 0 ? -1 : 0;
}

/* Memory of the program that a GPU shall see: its pages become those of the memory file. */
static int allocate_userptr(unsigned long request, uint8_t *arg) {
  struct kfd_ioctl_alloc_memory_of_gpu_args *args = (void *)arg;
  uint64_t address = args->mmap_offset, size = args->size, place = 0;
  if (address % SHIM_PAGE == 0 && size != 0 && shim_userptr_check(address, size) != 0) return -1;
  shim_userptr_lock();
  int status = send_call(-1, request, arg, &place);
  if (status == 0 && shim_userptr_share(args->handle, address, size, place) != 0) {
    int error = errno;
    struct kfd_ioctl_free_memory_of_gpu_args undo = {args->handle};
    send_call(-1, AMDKFD_IOC_FREE_MEMORY_OF_GPU, (uint8_t *)&undo, NULL);
    errno = error;
    status = -1;
  }
  shim_userptr_unlock();
  return status;
}

static int free_memory(unsigned long request, uint8_t *arg) {
  struct kfd_ioctl_free_memory_of_gpu_args *args = (void *)arg;
  shim_userptr_lock();
  /* Before the server gives the pages to someone else. */
  shim_userptr_unshare(args->handle);
  int status = send_call(-1, request, arg, NULL);
  int error = errno;
  if (status == 0) shim_userptr_forget(args->handle);
  else shim_userptr_keep(args->handle);
  shim_userptr_unlock();
  errno = error;
  return status;
}

static int kfd_ioctl(unsigned long request, uint8_t *arg) {
  switch (_IOC_NR(request)) {
    case _IOC_NR(AMDKFD_IOC_ALLOC_MEMORY_OF_GPU): {
      const struct kfd_ioctl_alloc_memory_of_gpu_args *args = (void *)arg;
      return (args->flags & KFD_IOC_ALLOC_MEM_FLAGS_USERPTR) != 0 ? allocate_userptr(request, arg) : send_call(-1, request, arg, NULL);
    }
    case _IOC_NR(AMDKFD_IOC_FREE_MEMORY_OF_GPU):
      return free_memory(request, arg);
    case _IOC_NR(AMDKFD_IOC_ACQUIRE_VM):
      return send_with_file(-1, request, arg, offsetof(struct kfd_ioctl_acquire_vm_args, drm_fd));
    case _IOC_NR(AMDKFD_IOC_GET_DMABUF_INFO):
      return send_with_file(-1, request, arg, offsetof(struct kfd_ioctl_get_dmabuf_info_args, dmabuf_fd));
    case _IOC_NR(AMDKFD_IOC_IMPORT_DMABUF):
      return send_with_file(-1, request, arg, offsetof(struct kfd_ioctl_import_dmabuf_args, dmabuf_fd));
    case NR_EXPORT_DMABUF:
      return export_dmabuf(request, arg);
    default:
      return send_call(-1, request, arg, NULL);
  }
}

int shim_ioctl(struct shim_handle handle, unsigned long request, uint8_t *arg) {
  uint8_t own[MAX_ARGUMENT] = {0};
  size_t size = _IOC_SIZE(request);
  if (handle.kind == KIND_DMABUF) {
    errno = ENOTTY;
    return -1;
  }
  /* amdkfd answers only the process that opened the file. */
  if (handle.kind == KIND_KFD && handle.owner != getpid()) {
    errno = EBADF;
    return -1;
  }
  if (shim_copy_in(own, (uint64_t)arg, size) != 0) return -1;
  int status = handle.kind == KIND_KFD ? kfd_ioctl(request, own) : send_call(handle.id, request, own, NULL);
  int error = errno;
  if (shim_copy_out((uint64_t)arg, own, size) != 0) return -1;
  errno = error;
  return status;
}

struct map_request {
  int32_t file;
  /* PROT_… */
  uint32_t protection;
  uint64_t offset;
  uint64_t size;
};

void *shim_map_device(struct shim_handle handle, void *address, size_t size, int protection, int flags, uint64_t offset) {
  int32_t file = handle.kind == KIND_KFD ? -1 : handle.id;
  struct map_request request = {file, (uint32_t)protection, offset, size};
  struct shim_part part = {&request, sizeof request};
  const uint8_t *answer;
  size_t answered;
  uint64_t place;
  long status = handle.kind == KIND_DMABUF ? -ENODEV : shim_call(OP_MMAP, &part, 1, &answer, &answered);
  int memory = status == 0 ? shim_memory_file() : 0;
  if (status == 0 && (answered < sizeof place || memory < 0)) status = -ENXIO;
  if (status != 0) {
    errno = (int)-status;
    return MAP_FAILED;
  }
  memcpy(&place, answer, sizeof place);
  return (void *)syscall(SYS_mmap, address, size, protection, flags & ~MAP_ANONYMOUS, memory, place);
}
