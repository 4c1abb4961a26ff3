/*
 * A program against libhsakmt alone: it finds the GPU, takes memory of each kind, loads a kernel, makes an AQL queue, dispatches, waits
 * for the event, and checks every element. Prints one line for each step; ends with 0 when all is right.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <hsakmt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define ITEMS 100000u
#define GROUP 256u
#define RING_BYTES 4096u
#define PAGE 4096ul

#define CHECK(call)                                                                    \
  do {                                                                                 \
    HSAKMT_STATUS status_ = (call);                                                    \
    if (status_ != HSAKMT_STATUS_SUCCESS) {                                            \
      printf("%s: status %d\n", #call, status_);                                       \
      exit(1);                                                                         \
    }                                                                                  \
  } while (0)

/* amd_hsa_signal.h amd_signal_t */
struct signal {
  int64_t kind, value;
  uint64_t mailbox;
  uint32_t event_id, reserved;
  uint64_t start, end, queue, reserved2;
};

/* hsa.h hsa_kernel_dispatch_packet_t */
struct packet {
  uint16_t header, setup, workgroup[3], reserved;
  uint32_t grid[3], private_bytes, group_bytes;
  uint64_t kernel, kernarg, reserved2, completion;
};

struct arguments {
  uint64_t a, b, c;
  uint32_t n, pad, blocks[3];
  uint16_t group[3], remainder[3];
  uint8_t hidden[256];
};

static HSAuint32 node;

static void *allocate(HSAuint32 at, size_t size, HsaMemFlags flags) {
  void *memory = NULL;
  HSAuint64 alternate = 0;
  HsaMemMapFlags map = {0};
  CHECK(hsaKmtAllocMemory(at, size, flags, &memory));
  CHECK(hsaKmtMapMemoryToGPUNodes(memory, size, &alternate, map, 1, &node));
  return memory;
}

static size_t rounded(size_t size) { return (size + PAGE - 1) & ~(PAGE - 1); }

static void *system_memory(size_t size) {
  HsaMemFlags flags = {0};
  flags.ui32.HostAccess = 1;
  flags.ui32.ExecuteAccess = 1;
  flags.ui32.NonPaged = 1;
  return allocate(0, rounded(size), flags);
}

static void *video_memory(size_t size) {
  HsaMemFlags flags = {0};
  flags.ui32.HostAccess = 1;
  flags.ui32.NonPaged = 1;
  flags.ui32.CoarseGrain = 1;
  flags.ui32.ExecuteAccess = 1;
  return allocate(node, rounded(size), flags);
}

/* Lays the segments of a code object out in video memory; the address of its kernel descriptor. */
static uint64_t load_kernel(const char *path, const char *symbol) {
  static uint8_t file[1 << 20];
  FILE *in = fopen(path, "rb");
  if (in == NULL || fread(file, 1, sizeof file, in) < sizeof(Elf64_Ehdr)) exit(2);
  fclose(in);
  Elf64_Ehdr *head = (void *)file;
  Elf64_Phdr *segments = (void *)(file + head->e_phoff);
  Elf64_Shdr *sections = (void *)(file + head->e_shoff);
  size_t size = 0;
  for (int i = 0; i < head->e_phnum; i++) {
    size_t end = segments[i].p_vaddr + segments[i].p_memsz;
    if (segments[i].p_type == PT_LOAD && end > size) size = end;
  }
  uint8_t *image = video_memory(size);
  for (int i = 0; i < head->e_phnum; i++) {
    if (segments[i].p_type == PT_LOAD) memcpy(image + segments[i].p_vaddr, file + segments[i].p_offset, segments[i].p_filesz);
  }
  for (int i = 0; i < head->e_shnum; i++) {
    if (sections[i].sh_type != SHT_DYNSYM) continue;
    Elf64_Sym *symbols = (void *)(file + sections[i].sh_offset);
    const char *names = (char *)file + sections[sections[i].sh_link].sh_offset;
    for (size_t s = 0; s < sections[i].sh_size / sizeof *symbols; s++) {
      if (strcmp(names + symbols[s].st_name, symbol) == 0) return (uint64_t)image + symbols[s].st_value;
    }
  }
  exit(2);
}

static void find_gpu(void) {
  HsaSystemProperties system;
  HsaNodeProperties properties;
  HsaVersionInfo version;
  CHECK(hsaKmtGetVersion(&version));
  CHECK(hsaKmtAcquireSystemProperties(&system));
  printf("interface %u.%u, nodes %u\n", version.KernelInterfaceMajorVersion, version.KernelInterfaceMinorVersion, system.NumNodes);
  for (HSAuint32 i = 0; i < system.NumNodes; i++) {
    CHECK(hsaKmtGetNodeProperties(i, &properties));
    if (properties.NumFComputeCores == 0) continue;
    node = i;
    char name[HSA_PUBLIC_NAME_SIZE];
    for (size_t c = 0; c < sizeof name; c++) name[c] = (char)properties.MarketingName[c];
    printf("gpu %u gfx%u.%u.%u %.*s\n", i, properties.EngineId.ui32.Major, properties.EngineId.ui32.Minor,
           properties.EngineId.ui32.Stepping, (int)sizeof name, name);
  }
}

struct queue {
  HSA_QUEUEID id;
  volatile uint64_t *doorbell;
  uint64_t *write_index;
  struct packet *ring;
  uint8_t *state;
};

static struct queue create_queue(HsaEvent *error) {
  struct queue queue;
  HsaQueueResource resource = {0};
  queue.ring = system_memory(RING_BYTES);
  for (uint32_t i = 0; i < RING_BYTES / sizeof *queue.ring; i++) queue.ring[i].header = 1;
  /* amd_queue_t: write index at 0x38, read index at 0x80, then how far that is from the start. */
  queue.state = system_memory(PAGE);
  memset(queue.state, 0, PAGE);
  queue.write_index = (uint64_t *)(queue.state + 0x38);
  *(uint32_t *)(queue.state + 0x88) = 0x80;
  resource.Queue_write_ptr_aql = queue.write_index;
  resource.Queue_read_ptr_aql = (uint64_t *)(queue.state + 0x80);
  resource.ErrorReason = NULL;
  CHECK(hsaKmtCreateQueue(node, HSA_QUEUE_COMPUTE_AQL, 100, HSA_QUEUE_PRIORITY_NORMAL, queue.ring, RING_BYTES, error, &resource));
  queue.id = resource.QueueId;
  queue.doorbell = resource.Queue_DoorBell_aql;
  return queue;
}

int main(int count, char **arguments) {
  if (count < 2) return 2;
  CHECK(hsaKmtOpenKFD());
  find_gpu();

  HsaEventDescriptor descriptor = {.EventType = HSA_EVENTTYPE_SIGNAL, .NodeId = node};
  HsaEvent *event = NULL;
  CHECK(hsaKmtCreateEvent(&descriptor, false, false, &event));
  printf("event %u mailbox %s\n", event->EventId, event->EventData.HWData2 != 0 ? "yes" : "no");

  size_t bytes = ITEMS * sizeof(float);
  float *a = system_memory(bytes);
  float *c = video_memory(bytes);
  /* Memory of malloc that is shown to the GPU where it is, in the middle of other memory. */
  float *around = aligned_alloc(PAGE, rounded(bytes) + 2 * PAGE);
  float *b = around + PAGE / sizeof(float);
  around[PAGE / sizeof(float) - 1] = 41;
  for (uint32_t i = 0; i < ITEMS; i++) {
    a[i] = (float)i;
    b[i] = (float)(2 * i);
  }
  HSAuint64 shown = 0;
  HsaMemMapFlags map = {0};
  CHECK(hsaKmtRegisterMemory(b, rounded(bytes)));
  CHECK(hsaKmtMapMemoryToGPUNodes(b, rounded(bytes), &shown, map, 1, &node));
  printf("registered %s\n", shown == 0 || shown == (HSAuint64)b ? "in place" : "elsewhere");
  if (shown == 0) shown = (HSAuint64)b;

  uint64_t kernel = load_kernel(arguments[1], "vadd.kd");
  struct arguments *kernarg = system_memory(sizeof *kernarg);
  memset(kernarg, 0, sizeof *kernarg);
  *kernarg = (struct arguments){(uint64_t)a, shown, (uint64_t)c, ITEMS, 0, {(ITEMS + GROUP - 1) / GROUP, 1, 1}, {GROUP, 1, 1}, {0}, {0}};
  struct signal *done = system_memory(PAGE);
  struct queue queue = create_queue(NULL);
  for (int round = 0; round < 3; round++) {
    memset(c, 0, bytes);
    *done = (struct signal){1, 1, event->EventData.HWData2, event->EventId, 0, 0, 0, 0, 0};
    uint64_t index = __atomic_fetch_add(queue.write_index, 1, __ATOMIC_ACQ_REL);
    struct packet *packet = &queue.ring[index % (RING_BYTES / sizeof *packet)];
    struct packet body = {0, 1, {GROUP, 1, 1}, 0, {ITEMS, 1, 1}, 0, 0, kernel, (uint64_t)kernarg, 0, (uint64_t)done};
    memcpy((uint8_t *)packet + 4, (uint8_t *)&body + 4, sizeof body - 4);
    __atomic_store_n((uint32_t *)packet, 0x1502u | 1u << 16, __ATOMIC_RELEASE);
    *queue.doorbell = index;
    while (__atomic_load_n(&done->value, __ATOMIC_ACQUIRE) != 0) {
      HSAKMT_STATUS status = hsaKmtWaitOnEvent(event, 10000);
      if (status != HSAKMT_STATUS_SUCCESS) {
        printf("wait: status %d, signal %ld\n", status, done->value);
        return 1;
      }
    }
    for (uint32_t i = 0; i < ITEMS; i++) {
      if (c[i] != (float)(3 * i)) {
        printf("round %d: c[%u] = %g\n", round, i, c[i]);
        return 1;
      }
      b[i] = (float)(2 * i);
    }
  }
  printf("right\n");
  CHECK(hsaKmtDestroyQueue(queue.id));
  CHECK(hsaKmtUnmapMemoryToGPU(b));
  CHECK(hsaKmtDeregisterMemory(b));
  printf("malloc memory %s\n", b[ITEMS - 1] == 2.0f * (ITEMS - 1) && around[PAGE / sizeof(float) - 1] == 41 ? "kept" : "lost");
  free(around);
  CHECK(hsaKmtDestroyEvent(event));
  CHECK(hsaKmtReleaseSystemProperties());
  CHECK(hsaKmtCloseKFD());
  printf("closed\n");
  return 0;
}
