// Writes a Darshan log of format 3.41: header, job, names, then modules, whose records are packed as they
// come, so that memory does not grow with them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "logformat/log/whole_file.h"
#include "parsers/darshan/job_text.h"
#include "parsers/darshan/region_writer.h"

namespace fathom::darshan {

// Names come before records, and the records of a module together; std::logic_error is thrown otherwise. The
// file is there once finish() is done. All throw LogError where it cannot be written.
class Writer {
  public:
    Writer(const std::string& path, const JobRecord& job);

    // What of the job found no room.
    const JobText& job_text() const { return job_text_; }

    void add_name(std::uint64_t id, std::string_view name);
    // Darshan ran out of room: not all of the module's records are there.
    void mark_partial(Module module) { partial_ |= std::uint64_t{1} << static_cast<unsigned>(module); }

    // Numbers and times are those that counters_of(module) lists.
    void add(Module module, const CounterRecord& record);
    void add(const LustreRecord& record);
    void add(const HeatmapRecord& record);
    // Its operations follow, writes before reads, as many as the record says. Whether operations have threads
    // is for the module's first record to say.
    void add(Module module, const DxtRecord& record);
    void add(const DxtSegment& segment);

    void finish();

  private:
    static constexpr std::size_t slots = 64;
    struct Slot {
        Region region;
        std::uint32_t version = 0;
    };

    void begin(Module module, std::uint32_t version);
    void end_region();

    WholeFile file_;
    JobText job_text_;
    Region names_;
    std::array<Slot, slots> slots_{};
    std::uint64_t partial_ = 0;
    std::optional<RegionWriter> region_;
    Module module_ = Module::none;  // whose region is under way; none: the names'
    bool threads_ = false;
};

}  // namespace fathom::darshan
