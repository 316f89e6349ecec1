// One document on what devices, servers and clients did: how busy they were, how evenly, and when nothing is
// known.
//
// Sources: Carns et al. (ACM TOS 2011), section 4; Yang et al. (NSDI 2019), figure 5, section 4.2. Each
// section says which table or figure it has the numbers of.
#pragma once

#include "analyzer/document/document.h"
#include "analyzer/series/report/choice.h"
#include "logformat/log/tick.h"

namespace fathom::series {

report::Document make_report(const Table& table, const Choice& choice, const Tick& tick);

}  // namespace fathom::series
