// Takes every slot whose function Debian's headers declare and passes all calls on. SLOTS, which the test writes, names them:
// X(CoreApiTable, core_, hsa_init) …
#include "tool.h"

EXPORT uint64_t passed = 0;

template <typename Table> static Table originals;

template <typename Table, auto Member> struct Pass;

template <typename Table, typename Result, typename... Arguments, Result (*Table::*Member)(Arguments...)> struct Pass<Table, Member> {
  static Result call(Arguments... arguments) {
    passed++;
    return (originals<Table>.*Member)(arguments...);
  }
};

ON_LOAD {
#define X(TABLE, MEMBER, NAME)                                       \
  originals<TABLE>.NAME##_fn = table->MEMBER->NAME##_fn;             \
  table->MEMBER->NAME##_fn = Pass<TABLE, &TABLE::NAME##_fn>::call;
  SLOTS
  return true;
}
