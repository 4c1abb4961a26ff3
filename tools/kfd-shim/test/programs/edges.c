/* What a program may do with the device files beside using them plainly. Prints one line for each case: its name and what came of it. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/kfd_ioctl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE 4096ul
#define TOPOLOGY "/sys/class/kfd/kfd/topology/nodes/1/"

static int kfd, render;
static unsigned gpu_id;

/* The errno of a call; 0 when it succeeded. */
static int result(int status) { return status < 0 ? errno : 0; }
static void show(const char *name, int value) { printf("%s %s\n", name, value == 0 ? "ok" : strerrorname_np(value)); }

static uint64_t read_number(const char *path) {
  unsigned long value = 0;
  FILE *file = fopen(path, "re");
  if (file == NULL || fscanf(file, "%lu", &value) != 1) value = ~0ul;
  if (file != NULL) fclose(file);
  return value;
}

static void files(void) {
  struct stat info;
  struct kfd_ioctl_get_version_args version = {0};
  int copy = dup(kfd);
  show("ioctl of a copy", result(ioctl(copy, AMDKFD_IOC_GET_VERSION, &version)));
  show("major version", version.major_version == 1 ? 0 : EINVAL);
  close(copy);
  show("ioctl of a closed copy", result(ioctl(copy, AMDKFD_IOC_GET_VERSION, &version)));
  show("bad argument", result(ioctl(kfd, AMDKFD_IOC_GET_VERSION, (void *)8)));
  fstat(render, &info);
  show("render node is 226:128", S_ISCHR(info.st_mode) && info.st_rdev == makedev(226, 128) ? 0 : EINVAL);
  show("stat by name", result(stat("/dev/dri/renderD128", &info)));
  show("no other render node", result(open("/dev/dri/renderD129", O_RDWR)));
  show("other ioctls go to the system", result(ioctl(kfd, 0x5401, &info)));
  char *device = realpath("/sys/dev/char/226:128/device", NULL);
  printf("device %s\n", device == NULL ? "" : device);
  free(device);
  DIR *folder = opendir("/dev/dri");
  int nodes = 0;
  for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) nodes += strncmp(entry->d_name, "renderD", 7) == 0;
  closedir(folder);
  printf("render nodes %d\n", nodes);
  show("files of the system", result(access("/etc/passwd", R_OK)));
  fflush(stdout);
  if (fork() == 0) _exit(ioctl(kfd, AMDKFD_IOC_GET_VERSION, &version) == 0 ? 0 : errno);
  int status;
  wait(&status);
  show("ioctl of a child", WEXITSTATUS(status));
}

static int allocate(uint32_t flags, void *at, void *host, uint64_t size, uint64_t *handle) {
  struct kfd_ioctl_alloc_memory_of_gpu_args args = {.va_addr = (uint64_t)at, .size = size, .gpu_id = gpu_id};
  args.mmap_offset = (uint64_t)host;
  args.flags = flags | KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE;
  int status = result(ioctl(kfd, AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, &args));
  *handle = args.handle;
  return status;
}

static int release(uint64_t handle) {
  struct kfd_ioctl_free_memory_of_gpu_args args = {handle};
  return result(ioctl(kfd, AMDKFD_IOC_FREE_MEMORY_OF_GPU, &args));
}

/* Whether the page at an address is shared memory by now. */
static int is_shared(const void *address) {
  char line[512], allowed[5];
  unsigned long first, last;
  int shared = -1;
  FILE *maps = fopen("/proc/self/maps", "re");
  while (fgets(line, sizeof line, maps) != NULL) {
    if (sscanf(line, "%lx-%lx %4s", &first, &last, allowed) == 3 && (unsigned long)address >= first && (unsigned long)address < last)
      shared = allowed[3] == 's';
  }
  fclose(maps);
  return shared;
}

static void registered(void) {
  uint64_t whole, part, other;
  uint8_t *memory = mmap(NULL, 8 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  for (size_t i = 0; i < 8 * PAGE; i++) memory[i] = (uint8_t)(i >> 8);
  munmap(memory + 7 * PAGE, PAGE);
  uint8_t *low = (uint8_t *)0x200000000ul;
  const uint32_t userptr = KFD_IOC_ALLOC_MEM_FLAGS_USERPTR;
  show("memory with a hole", allocate(userptr, low, memory + 4 * PAGE, 4 * PAGE, &other));
  show("memory", allocate(userptr, low, memory, 4 * PAGE, &whole));
  show("the same address again", allocate(userptr, low, memory + 5 * PAGE, PAGE, &other));
  show("a part of it elsewhere", allocate(userptr, low + 64 * PAGE, memory + PAGE, PAGE, &part));
  show("more than a part", allocate(userptr, low + 96 * PAGE, memory + 3 * PAGE, 2 * PAGE, &other));
  printf("shared %d%d, not %d\n", is_shared(memory), is_shared(memory + 3 * PAGE), is_shared(memory + 4 * PAGE));
  struct kfd_ioctl_map_memory_to_gpu_args map = {.handle = whole, .device_ids_array_ptr = (uint64_t)&gpu_id, .n_devices = 1};
  show("map the whole", result(ioctl(kfd, AMDKFD_IOC_MAP_MEMORY_TO_GPU, &map)));
  show("free the part", release(part));
  show("free the whole while it is mapped", release(whole));
  printf("still shared %d\n", is_shared(memory));
  map.n_success = 0;
  show("unmap the whole", result(ioctl(kfd, AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU, &map)));
  show("a part of it elsewhere", allocate(userptr, low + 64 * PAGE, memory + PAGE, PAGE, &part));
  memory[PAGE + 1] = 77;
  show("free the whole", release(whole));
  printf("still shared %d\n", is_shared(memory));
  show("free the part", release(part));
  show("free it again", release(part));
  int kept = memory[PAGE + 1] == 77;
  for (size_t i = 0; i < 7 * PAGE; i++) kept &= i == PAGE + 1 || memory[i] == (uint8_t)(i >> 8);
  printf("own again %d, %s\n", is_shared(memory), kept ? "kept" : "lost");

  uint64_t before = read_number(TOPOLOGY "mem_banks/0/used_memory");
  show("video memory", allocate(KFD_IOC_ALLOC_MEM_FLAGS_VRAM, low, NULL, 1 << 20, &whole));
  printf("used memory grew by %ld\n", (long)(read_number(TOPOLOGY "mem_banks/0/used_memory") - before));
  show("hidden video memory", mmap(NULL, PAGE, PROT_READ, MAP_SHARED, render, 0x7000) == MAP_FAILED ? errno : 0);
  show("free video memory", release(whole));
}

static uint32_t event_id;

static void *wait_for_event(void *unused) {
  (void)unused;
  struct kfd_event_data data = {.event_id = event_id};
  struct kfd_ioctl_wait_events_args args = {(uint64_t)&data, 1, 1, 0xffffffffu, 7};
  int status = result(ioctl(kfd, AMDKFD_IOC_WAIT_EVENTS, &args));
  return (void *)(long)(status == 0 && args.wait_result == 0 ? 0 : EIO);
}

static void events(void) {
  struct kfd_ioctl_create_event_args event = {.event_type = KFD_IOC_EVENT_SIGNAL, .auto_reset = 1};
  show("create event", result(ioctl(kfd, AMDKFD_IOC_CREATE_EVENT, &event)));
  void *page = mmap(NULL, 8 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, kfd, (off_t)event.event_page_offset);
  show("map event page", page == MAP_FAILED ? errno : 0);
  printf("slot %lx\n", ((uint64_t *)page)[event.event_slot_index]);
  event_id = event.event_id;
  struct kfd_ioctl_wait_events_args bad = {8, 1, 1, 0, 7};
  show("wait with a bad pointer", result(ioctl(kfd, AMDKFD_IOC_WAIT_EVENTS, &bad)));
  pthread_t waiters[2];
  for (int i = 0; i < 2; i++) pthread_create(&waiters[i], NULL, wait_for_event, NULL);
  /* Other threads go on while two wait. */
  struct kfd_ioctl_get_version_args version;
  show("ioctl beside waits", result(ioctl(kfd, AMDKFD_IOC_GET_VERSION, &version)));
  struct kfd_ioctl_set_event_args set = {event_id, 0};
  void *outcome = NULL;
  for (int i = 0; i < 2; i++) {
    do {
      ioctl(kfd, AMDKFD_IOC_SET_EVENT, &set);
    } while (pthread_tryjoin_np(waiters[i], &outcome) == EBUSY);
    show("wait", (int)(long)outcome);
  }
}

int main(void) {
  kfd = open("/dev/kfd", O_RDWR | O_CLOEXEC);
  render = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
  show("open", kfd < 0 || render < 0 ? errno : 0);
  gpu_id = (unsigned)read_number(TOPOLOGY "gpu_id");
  files();
  struct kfd_ioctl_acquire_vm_args vm = {(uint32_t)kfd, gpu_id};
  show("VM of a file that is no render node", result(ioctl(kfd, AMDKFD_IOC_ACQUIRE_VM, &vm)));
  vm.drm_fd = (uint32_t)dup(render);
  show("VM", result(ioctl(kfd, AMDKFD_IOC_ACQUIRE_VM, &vm)));
  vm.drm_fd = (uint32_t)render;
  show("VM of the same file", result(ioctl(kfd, AMDKFD_IOC_ACQUIRE_VM, &vm)));
  vm.drm_fd = (uint32_t)open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
  show("VM of another file", result(ioctl(kfd, AMDKFD_IOC_ACQUIRE_VM, &vm)));
  registered();
  events();
  return 0;
}
