// Says for which tables it was made: Debian's core table.
#define OLD_TABLES
#include "tool.h"

EXPORT const ApiTableVersion DOORBELL_TOOL_VERSIONS[7] = {
    {HSA_API_TABLE_MAJOR_VERSION, sizeof(HsaApiTable), HSA_API_TABLE_STEP_VERSION, 0},
    {HSA_CORE_API_TABLE_MAJOR_VERSION, sizeof(CoreApiTable), HSA_CORE_API_TABLE_STEP_VERSION, 0},
};

ON_LOAD { return true; }
