// What the tools of these tests share. Debian's headers are of an earlier version than the tables here: slots that both know have the
// same offsets.
#include <hsa/hsa_api_trace.h>
#include <cstdio>
#include <cstring>

#define EXPORT extern "C" __attribute__((visibility("default")))
#define ON_LOAD EXPORT bool OnLoad(HsaApiTable* table, uint64_t runtime_version, uint64_t failed_count, const char* const* failed_names)
