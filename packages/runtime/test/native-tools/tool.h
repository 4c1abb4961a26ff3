// What the tools of these tests share. The types are those of Debian's headers; the tables, in the order that they have here, are in a
// header that the test writes.
#define AMD_INTERNAL_BUILD
#include <hsa/hsa.h>
#include <hsa/hsa_ext_amd.h>
#include <hsa/hsa_ext_finalize.h>
#include <hsa/hsa_ext_image.h>
#include <cstdio>
#include <cstring>
#ifdef OLD_TABLES
#include <hsa/hsa_api_trace.h>
#else
#include "tables.h"
#endif

#define EXPORT extern "C" __attribute__((visibility("default")))
#define ON_LOAD EXPORT bool OnLoad(HsaApiTable* table, uint64_t runtime_version, uint64_t failed_count, const char* const* failed_names)
