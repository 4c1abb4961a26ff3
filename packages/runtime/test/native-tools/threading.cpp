// Calls the API on a thread of its own.
#include "tool.h"
#include <pthread.h>

EXPORT uint64_t done = 0;
static CoreApiTable core;

static void* run(void*) {
  hsa_signal_t signal = {};
  if (core.hsa_signal_create_fn(41, 0, nullptr, &signal) != HSA_STATUS_SUCCESS) return nullptr;
  core.hsa_signal_add_screlease_fn(signal, 1);
  uint64_t value = core.hsa_signal_load_scacquire_fn(signal);
  core.hsa_signal_destroy_fn(signal);
  __atomic_store_n(&done, value, __ATOMIC_SEQ_CST);
  return nullptr;
}

ON_LOAD {
  core = *table->core_;
  pthread_t thread;
  return pthread_create(&thread, nullptr, run, nullptr) == 0 && pthread_detach(thread) == 0;
}
