#include "tool.h"
EXPORT int something = 1;
