// Counts calls and passes them on; multiplies the size of queues by FACTOR, so that the order of two tools shows.
#include "tool.h"
#ifndef FACTOR
#define FACTOR 1
#endif

EXPORT uint64_t counts[8] = {};
enum { QUEUE_CREATE, FREEZE, READER, ALLOCATE, RING, QUEUE_SIZE, UNLOADED, SYMBOL };

static CoreApiTable core;
static AmdExtTable ext;

static hsa_status_t queue_create(hsa_agent_t agent, uint32_t size, hsa_queue_type32_t type,
                                 void (*callback)(hsa_status_t, hsa_queue_t*, void*), void* data, uint32_t private_size,
                                 uint32_t group_size, hsa_queue_t** queue) {
  counts[QUEUE_CREATE]++;
  counts[QUEUE_SIZE] = size;
  return core.hsa_queue_create_fn(agent, size * FACTOR, type, callback, data, private_size, group_size, queue);
}

static hsa_status_t freeze(hsa_executable_t executable, const char* options) {
  counts[FREEZE]++;
  return core.hsa_executable_freeze_fn(executable, options);
}

static hsa_status_t reader(const void* bytes, size_t size, hsa_code_object_reader_t* reader) {
  if (memcmp(bytes, "\177ELF", 4) == 0) counts[READER] += size;
  return core.hsa_code_object_reader_create_from_memory_fn(bytes, size, reader);
}

static hsa_status_t symbol(hsa_executable_t executable, const char* name, const hsa_agent_t* agent, hsa_executable_symbol_t* symbol) {
  if (agent != nullptr && strcmp(name, "vadd.kd") == 0) counts[SYMBOL]++;
  return core.hsa_executable_get_symbol_by_name_fn(executable, name, agent, symbol);
}

static hsa_status_t allocate(hsa_amd_memory_pool_t pool, size_t size, uint32_t flags, void** address) {
  counts[ALLOCATE]++;
  return ext.hsa_amd_memory_pool_allocate_fn(pool, size, flags, address);
}

static void ring(hsa_signal_t signal, hsa_signal_value_t value) {
  counts[RING]++;
  core.hsa_signal_store_screlease_fn(signal, value);
}

ON_LOAD {
  core = *table->core_;
  ext = *table->amd_ext_;
  table->core_->hsa_queue_create_fn = queue_create;
  table->core_->hsa_executable_freeze_fn = freeze;
  table->core_->hsa_code_object_reader_create_from_memory_fn = reader;
  table->core_->hsa_executable_get_symbol_by_name_fn = symbol;
  table->amd_ext_->hsa_amd_memory_pool_allocate_fn = allocate;
  table->core_->hsa_signal_store_screlease_fn = ring;
  return true;
}

EXPORT void OnUnload() { counts[UNLOADED]++; }
