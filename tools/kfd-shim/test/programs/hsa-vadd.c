/* A program against AMD's HSA runtime: it loads a kernel as HSA programs do, and so has the runtime's own copy kernel run as well. */
#include <fcntl.h>
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITEMS 10000u
#define GROUP 256u

#define CHECK(call)                                 \
  do {                                              \
    hsa_status_t status_ = (call);                  \
    if (status_ != HSA_STATUS_SUCCESS) {            \
      printf("%s: status 0x%x\n", #call, status_);  \
      exit(1);                                      \
    }                                               \
  } while (0)

struct arguments {
  float *a, *b, *c;
  uint32_t n, pad[65];
};

static hsa_agent_t gpu, cpu;
static hsa_amd_memory_pool_t video, fine, kernarg;

static hsa_status_t see_agent(hsa_agent_t agent, void *data) {
  (void)data;
  hsa_device_type_t type;
  CHECK(hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type));
  if (type == HSA_DEVICE_TYPE_GPU) gpu = agent;
  else cpu = agent;
  return HSA_STATUS_SUCCESS;
}

static hsa_status_t see_pool(hsa_amd_memory_pool_t pool, void *is_gpu) {
  hsa_amd_segment_t segment;
  uint32_t flags;
  CHECK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment));
  if (segment != HSA_AMD_SEGMENT_GLOBAL) return HSA_STATUS_SUCCESS;
  CHECK(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags));
  if (is_gpu != NULL) video = pool;
  else if ((flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT) != 0) kernarg = pool;
  else if ((flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED) != 0) fine = pool;
  return HSA_STATUS_SUCCESS;
}

static void *allocate(hsa_amd_memory_pool_t pool, size_t size, hsa_agent_t other) {
  void *memory;
  CHECK(hsa_amd_memory_pool_allocate(pool, size, 0, &memory));
  CHECK(hsa_amd_agents_allow_access(1, &other, NULL, memory));
  return memory;
}

static uint64_t load_kernel(const char *path, const char *name) {
  hsa_code_object_reader_t reader;
  hsa_executable_t executable;
  hsa_executable_symbol_t symbol;
  uint64_t kernel;
  CHECK(hsa_code_object_reader_create_from_file(open(path, O_RDONLY), &reader));
  CHECK(hsa_executable_create_alt(HSA_PROFILE_BASE, HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR, NULL, &executable));
  CHECK(hsa_executable_load_agent_code_object(executable, gpu, reader, NULL, NULL));
  CHECK(hsa_executable_freeze(executable, NULL));
  CHECK(hsa_executable_get_symbol_by_name(executable, name, &gpu, &symbol));
  CHECK(hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT, &kernel));
  return kernel;
}

static void stop(hsa_status_t status, hsa_queue_t *queue, void *data) {
  (void)queue, (void)data;
  printf("queue: status 0x%x\n", status);
  exit(1);
}

int main(int count, char **options) {
  if (count < 2) return 2;
  CHECK(hsa_init());
  CHECK(hsa_iterate_agents(see_agent, NULL));
  CHECK(hsa_amd_agent_iterate_memory_pools(gpu, see_pool, &gpu));
  CHECK(hsa_amd_agent_iterate_memory_pools(cpu, see_pool, NULL));
  hsa_queue_t *queue;
  CHECK(hsa_queue_create(gpu, 256, HSA_QUEUE_TYPE_SINGLE, stop, NULL, UINT32_MAX, UINT32_MAX, &queue));
  float *a = allocate(fine, ITEMS * sizeof *a, gpu);
  float *b = malloc(ITEMS * sizeof *b), *shown;
  float *c = allocate(video, ITEMS * sizeof *c, cpu);
  for (uint32_t i = 0; i < ITEMS; i++) {
    a[i] = (float)i;
    b[i] = (float)(2 * i);
  }
  CHECK(hsa_amd_memory_lock(b, ITEMS * sizeof *b, &gpu, 1, (void **)&shown));
  struct arguments *arguments = allocate(kernarg, sizeof *arguments, gpu);
  memset(arguments, 0, sizeof *arguments);
  arguments->a = a;
  arguments->b = shown;
  arguments->c = c;
  arguments->n = ITEMS;
  uint64_t kernel = load_kernel(options[1], "vadd.kd");
  hsa_signal_t done;
  CHECK(hsa_signal_create(1, 0, NULL, &done));
  uint64_t index = hsa_queue_add_write_index_relaxed(queue, 1);
  hsa_kernel_dispatch_packet_t *packet = (hsa_kernel_dispatch_packet_t *)queue->base_address + index % queue->size;
  memset((char *)packet + 4, 0, sizeof *packet - 4);
  packet->workgroup_size_x = GROUP;
  packet->workgroup_size_y = packet->workgroup_size_z = packet->grid_size_y = packet->grid_size_z = 1;
  packet->grid_size_x = ITEMS;
  packet->kernel_object = kernel;
  packet->kernarg_address = arguments;
  packet->completion_signal = done;
  __atomic_store_n((uint32_t *)packet, 0x1502u | 1u << 16, __ATOMIC_RELEASE);
  hsa_signal_store_screlease(queue->doorbell_signal, (hsa_signal_value_t)index);
  hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_LT, 1, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
  for (uint32_t i = 0; i < ITEMS; i++) {
    if (c[i] == (float)(3 * i)) continue;
    printf("c[%u] = %g\n", i, c[i]);
    return 1;
  }
  printf("right\n");
  CHECK(hsa_amd_memory_unlock(b));
  free(b);
  CHECK(hsa_signal_destroy(done));
  CHECK(hsa_queue_destroy(queue));
  CHECK(hsa_shut_down());
  return 0;
}
