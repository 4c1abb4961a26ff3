// Looks at the versions of its own headers, as ROCm's tools do, and refuses.
#define OLD_TABLES
#include "tool.h"

ON_LOAD {
  // A tool that refuses may have touched the tables before.
  table->core_->hsa_init_fn = nullptr;
  return table->version.major_id == HSA_API_TABLE_MAJOR_VERSION;
}
