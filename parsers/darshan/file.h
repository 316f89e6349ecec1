// A Darshan log, format 3.00 to 3.41 of either byte order: header, job and names are read at once, records
// one after the other as they are asked for, so that memory does not grow with their number.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "parsers/darshan/modules.h"
#include "parsers/darshan/records.h"

namespace fathom::darshan {

enum class Compression : std::uint8_t { zlib, bzip2, none };

// A part of the file: packed streams, one after the other. Length 0: it is not there.
struct Region {
    std::uint64_t offset = 0, length = 0;
};

struct ModuleRegion {
    Module module{};       // Module::none where the slot is one that we do not know
    std::size_t slot = 0;  // of format 3.41
    Region region;
    std::uint32_t version = 0;
    bool partial = false;  // Darshan ran out of room: not all records are there
};

// What was wrong with a region, where, and what is missing for it; empty: nothing.
using Problem = std::string;

class File {
  public:
    // Throws LogError where it is no log of Darshan, or nothing in it can be read.
    explicit File(const std::string& path);
    ~File();
    File(File&&) noexcept;
    File& operator=(File&&) noexcept;

    const std::string& path() const;
    std::uint64_t size() const;        // bytes of the file
    std::string_view version() const;  // of the format, "3.41"
    Compression compression() const;
    bool other_byte_order() const;
    std::uint64_t header_bytes() const;
    const Region& job_region() const;
    const Region& name_region() const;
    const std::vector<ModuleRegion>& modules() const;  // those that are there, by slot
    const ModuleRegion* find(Module module) const;     // null: it is not there

    const JobRecord& job() const;
    // Empty where the log has no name of it.
    std::string_view name_of(std::uint64_t id) const;
    const std::unordered_map<std::uint64_t, std::string_view>& names() const&;
    void names() const&& = delete;  // a range-for over a temporary's would walk over what is gone
    // Damage to header, job and names.
    const std::vector<Problem>& problems() const;

    // Each reads one module from its beginning and calls visit(record) for each of its records; what the
    // record shows lives until visit returns. False stops. Each says what could not be read; the records
    // before it have been visited. A module that is not there, or of a version that is not known, has none.
    Problem each_record(Module module, const std::function<bool(const CounterRecord&)>& visit) const;
    Problem each_lustre(const std::function<bool(const LustreRecord&)>& visit) const;
    Problem each_heatmap(const std::function<bool(const HeatmapRecord&)>& visit) const;
    // For DXT_POSIX and DXT_MPIIO: `record`, then `segment` for each of its operations, writes before reads.
    // Where `record` returns false, its operations are passed over.
    Problem each_dxt(Module module, const std::function<bool(const DxtRecord&)>& record,
                     const std::function<bool(const DxtSegment&)>& segment) const;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace fathom::darshan
