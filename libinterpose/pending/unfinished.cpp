// Asks everything that lasts longer than a call.
#include "libinterpose/pending/unfinished.h"

#include "libinterpose/pending/rings.h"

namespace fathom {

// A child of vfork leaves its parent's alone.
void count_live_mappings()
{
    if (!in_borrowed_memory()) mappings::count_all();
}

void count_unfinished()
{
    if (in_borrowed_memory()) return;
    mappings::count_all();
    rings::all_gone();
    in_flight::give_up();
}

}  // namespace fathom
