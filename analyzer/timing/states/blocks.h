// The blocks of a target's section: tables and plots of what was found.
#pragma once

#include <vector>

#include "analyzer/document/document.h"
#include "analyzer/timing/states/analysis.h"

namespace fathom {

// What programs alone want is in it where `whole`.
report::DataTable state_table(const StatesResult& result, bool whole);
report::DataTable rate_table(const StatesResult& result);
report::DataTable waiting_table(const StatesResult& result);
report::DataTable truth_table(const StatesResult& result, const Truth& truth);
report::DataTable path_table(const StatesResult& result);

report::Plot timeline_plot(const StatesResult& result);
report::Plot density_plot(const StatesResult& result);
// Of each state whose stays were fitted.
std::vector<report::Plot> waiting_plots(const StatesResult& result);
report::Plot held_out_plot(const HeldOut& held_out);

}  // namespace fathom
