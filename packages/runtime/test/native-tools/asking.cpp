// Asks the runtime everything through the C table, from its OnLoad and when a test calls ask(), and writes down the answers.
#include "tool.h"
#include <cstdlib>

EXPORT char answers[16384] = {};
static HsaApiTable* tables;
static size_t used;

template <typename... Values> static void say(const char* format, Values... values) {
  used += snprintf(answers + used, sizeof(answers) - used, format, values...);
}

static hsa_status_t visit_pool(hsa_amd_memory_pool_t pool, void* data) {
  size_t size = 0, granule = 0;
  uint32_t segment = 99, flags = 0;
  bool allowed = false;
  auto info = tables->amd_ext_->hsa_amd_memory_pool_get_info_fn;
  info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment);
  info(pool, HSA_AMD_MEMORY_POOL_INFO_SIZE, &size);
  info(pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED, &allowed);
  info(pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE, &granule);
  if (segment == HSA_AMD_SEGMENT_GLOBAL) info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &flags);
  say("pool %llx %u %zu %d %zu %u\n", (unsigned long long)pool.handle, segment, size, allowed, granule, flags);
  auto* fine = static_cast<hsa_amd_memory_pool_t*>(data);
  if (fine->handle == 0 && (flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED) && allowed) *fine = pool;
  return HSA_STATUS_SUCCESS;
}

static hsa_status_t visit_isa(hsa_isa_t isa, void* data) {
  uint32_t length = 0;
  char name[128];
  memset(name, '#', sizeof(name));
  bool profiles[2] = {};
  uint16_t dims[3] = {};
  hsa_dim3_t grid = {};
  uint64_t grid_size = 0;
  auto info = tables->core_->hsa_isa_get_info_alt_fn;
  info(isa, HSA_ISA_INFO_NAME_LENGTH, &length);
  info(isa, HSA_ISA_INFO_NAME, name);
  info(isa, HSA_ISA_INFO_PROFILES, profiles);
  info(isa, HSA_ISA_INFO_WORKGROUP_MAX_DIM, dims);
  info(isa, HSA_ISA_INFO_GRID_MAX_DIM, &grid);
  info(isa, HSA_ISA_INFO_GRID_MAX_SIZE, &grid_size);
  say("isa %s %u %d %d %u %u %u %u %llx\n", name, length, profiles[0], profiles[1], dims[0], dims[2], grid.x, grid.z,
      (unsigned long long)grid_size);
  return HSA_STATUS_SUCCESS;
}

struct Seen {
  int agents;
  hsa_agent_t cpu, gpu;
};

static hsa_status_t visit_agent(hsa_agent_t agent, void* data) {
  auto* seen = static_cast<Seen*>(data);
  seen->agents++;
  char name[65], uuid[22];
  memset(name, '#', sizeof(name));
  memset(uuid, '#', sizeof(uuid));
  hsa_device_type_t type = HSA_DEVICE_TYPE_DSP;
  uint32_t caches[5] = {7, 7, 7, 7, 7}, node = 9;
  uint16_t major = 9;
  auto info = tables->core_->hsa_agent_get_info_fn;
  hsa_status_t status = info(agent, HSA_AGENT_INFO_NAME, name);
  info(agent, (hsa_agent_info_t)HSA_AMD_AGENT_INFO_UUID, uuid);
  info(agent, HSA_AGENT_INFO_DEVICE, &type);
  info(agent, HSA_AGENT_INFO_NODE, &node);
  info(agent, HSA_AGENT_INFO_CACHE_SIZE, caches);
  info(agent, HSA_AGENT_INFO_VERSION_MAJOR, &major);
  (type == HSA_DEVICE_TYPE_GPU ? seen->gpu : seen->cpu) = agent;
  say("agent %llx %u %s %c %s %c %d %u %u %u %u %u %u\n", (unsigned long long)agent.handle, status, name, name[64], uuid, uuid[21], type,
      node, caches[0], caches[1], caches[3], caches[4], major);
  if (type == HSA_DEVICE_TYPE_GPU) tables->core_->hsa_agent_iterate_isas_fn(agent, visit_isa, nullptr);
  return HSA_STATUS_SUCCESS;
}

static hsa_status_t stop(hsa_agent_t, void* data) {
  ++*static_cast<int*>(data);
  return HSA_STATUS_INFO_BREAK;
}

static void system_facts() {
  auto info = tables->core_->hsa_system_get_info_fn;
  uint16_t version[2] = {99, 99};
  const char* build = nullptr;
  uint64_t longest = 0;
  info(HSA_SYSTEM_INFO_VERSION_MAJOR, version);
  info((hsa_system_info_t)HSA_AMD_SYSTEM_INFO_BUILD_VERSION, &build);
  info(HSA_SYSTEM_INFO_SIGNAL_MAX_WAIT, &longest);
  say("system %u %u %s %llx\n", version[0], version[1], build, (unsigned long long)longest);
  const char* text = nullptr;
  hsa_status_t status = tables->core_->hsa_status_string_fn(HSA_STATUS_ERROR_INVALID_AGENT, &text);
  say("status %u %s\n", status, text);
  say("null %x\n", info(HSA_SYSTEM_INFO_TIMESTAMP, nullptr));
  say("unknown %x\n", info((hsa_system_info_t)0x7777, &longest));
  void* table = nullptr;
  say("extension %x\n", tables->core_->hsa_system_get_major_extension_table_fn(0x201, 1, 8, &table));
}

static void signals() {
  hsa_signal_t signal = {};
  auto* core = tables->core_;
  hsa_status_t status = core->hsa_signal_create_fn(-5, 0, nullptr, &signal);
  core->hsa_signal_add_relaxed_fn(signal, 7);
  hsa_signal_value_t old = core->hsa_signal_exchange_relaxed_fn(signal, INT64_MIN);
  hsa_signal_value_t met =
      core->hsa_signal_wait_scacquire_fn(signal, HSA_SIGNAL_CONDITION_LT, 0, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
  say("signal %u %lld %d %x\n", status, (long long)old, met == INT64_MIN, core->hsa_signal_destroy_fn(signal));
  say("destroyed %x\n", core->hsa_signal_destroy_fn(signal));
}

static void memory(hsa_amd_memory_pool_t pool, hsa_agent_t gpu) {
  void* address = nullptr;
  hsa_status_t status = tables->amd_ext_->hsa_amd_memory_pool_allocate_fn(pool, 4096, 0, &address);
  char text[64] = "through the device", back[64] = {};
  hsa_status_t there = tables->core_->hsa_memory_copy_fn(address, text, sizeof(text));
  hsa_status_t here = tables->core_->hsa_memory_copy_fn(back, address, sizeof(back));
  say("memory %u %u %u %s\n", status, there, here, back);
  status = tables->amd_ext_->hsa_amd_agents_allow_access_fn(1, &gpu, nullptr, address);
  hsa_amd_pointer_info_t info = {};
  info.size = sizeof(info);
  uint32_t count = 0;
  hsa_agent_t* accessible = nullptr;
  hsa_status_t asked = tables->amd_ext_->hsa_amd_pointer_info_fn(static_cast<char*>(address) + 64, &info, malloc, &count, &accessible);
  say("pointer %u %u %d %d %zu %u %d\n", status, asked, info.type, info.agentBaseAddress == address, info.sizeInBytes, count,
      accessible != nullptr && accessible[0].handle == gpu.handle);
  free(accessible);
  say("freed %u\n", tables->amd_ext_->hsa_amd_memory_pool_free_fn(address));
}

EXPORT void ask() {
  used = 0;
  Seen seen = {};
  hsa_amd_memory_pool_t pool = {};
  hsa_status_t status = tables->core_->hsa_iterate_agents_fn(visit_agent, &seen);
  say("agents %u %d\n", status, seen.agents);
  int stops = 0;
  status = tables->core_->hsa_iterate_agents_fn(stop, &stops);
  say("stopped %u %d\n", status, stops);
  tables->amd_ext_->hsa_amd_agent_iterate_memory_pools_fn(seen.cpu, visit_pool, &pool);
  system_facts();
  signals();
  memory(pool, seen.gpu);
}

ON_LOAD {
  tables = table;
  ask();
  say("load %llu %llu %s %d\n", (unsigned long long)runtime_version, (unsigned long long)failed_count, failed_names[0],
      table->core_->version.minor_id == sizeof(CoreApiTable));
  return true;
}
