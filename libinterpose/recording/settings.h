// What the environment says to the library, read once: `fathom record` sets it, a site may set it by itself.
#pragma once

#include <cstddef>

#include "libinterpose/system/text.h"
#include "logformat/launchers.h"
#include "logformat/options.h"
#include "logformat/rank_list.h"
#include "logformat/site_settings.h"
#include "logformat/trace/patterns.h"

namespace fathom {

// A text in memory of the settings, with a zero behind it.
class KeptText {
  public:
    constexpr KeptText() = default;
    constexpr KeptText(const char* text, std::size_t size) : text_(text), size_(size) {}

    const char* c_str() const { return size_ == 0 ? "" : text_; }
    std::string_view view() const { return {text_, size_}; }
    bool empty() const { return size_ == 0; }

  private:
    const char* text_ = nullptr;
    std::size_t size_ = 0;
};

struct Settings {
    static constexpr std::size_t most_path = PathText::capacity(), most_text = 8 * most_path;  // all together

    // What users say, see logformat/options.h.
    std::size_t memory_bytes = options::standard_kib << 10;
    KeptText log_folder;      // without a spool, each process or MPI job leaves a log here
    KeptText spool;           // folder for parts; somebody else makes a log of them
    bool every_rank = false;  // the site promises that all ranks are recorded
    bool arguments = true;    // of processes
    bool timings = true;      // histograms of durations, slices of time
    bool trace = false;       // of all files, in all processes
    RankList trace_ranks;     // only in these
    std::size_t trace_bytes = options::standard_trace_kib << 10;
    FileMode log_mode;  // where this process writes a log
    bool traces() const { return trace || !trace_files.empty() || !trace_ranks.empty(); }
    std::size_t bytes_for_traces() const { return traces() ? trace_bytes : 0; }

    Task task;          // of which task of a launcher this process is
    KeptText identity;  // who runs this, in which job: lines of logformat/job_identity.h

    // What `fathom record` sets for the library, and nobody else should.
    KeptText log;            // FATHOM_LOG: the log that MPI_Finalize writes
    KeptText ranks_folder;   // FATHOM_RANKS: where the ranks of a node leave their marks, see roll_call.h
    KeptText launch_folder;  // FATHOM_LAUNCH: where the nodes of a launch do; empty: there is one node
    KeptText job;            // FATHOM_JOB: separates the parts and logs of one job from others
    KeptText streams;        // FATHOM_STREAMS: " device:inode" in hex for each standard stream of the job
                             // that is a regular file
    bool collected = false;  // FATHOM_COLLECT: `log` is one of several logs that will be merged

    // What is large comes last: most processes touch no page of it.
    FixedText<1024> notes;  // what was wrong with all that and is not obeyed; the log says so
    SiteSettings site;      // what the site holds all of these to
    Patterns exclude, include;
    Patterns trace_files;  // a trace of these alone
};

// The settings of this process. The first call reads the environment.
const Settings& settings();

}  // namespace fathom
