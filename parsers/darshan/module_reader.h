// Goes through the records of one module; what the readers of all modules share.
#pragma once

#include <functional>

#include "parsers/darshan/file.h"
#include "parsers/darshan/region_reader.h"
#include "parsers/darshan/words.h"

namespace fathom::darshan {

class ModuleReader {
  public:
    ModuleReader(const Source& source, const ModuleRegion& region, Compression compression, bool swapped)
        : region_(region), swapped_(swapped), reader_(source, region.region, compression)
    {}

    const ModuleRegion& region() const { return region_; }
    bool swapped() const { return swapped_; }
    template <class Number>
    Number number(const std::byte* from) const
    {
        return load_number<Number>(from, swapped_);
    }
    // The next bytes; null where there are not so many.
    const std::byte* take(std::size_t bytes)
    {
        const auto piece = reader_.take(bytes);
        left_over_ = piece.size() < bytes ? piece.size() : 0;
        return piece.size() < bytes ? nullptr : piece.data();
    }
    // The same bytes that take() gives next; empty where there are not so many.
    std::span<const std::byte> ahead(std::size_t bytes)
    {
        const auto piece = reader_.ahead(bytes);
        return piece.size() < bytes ? std::span<const std::byte>() : piece;
    }
    void count_record() { ++records_; }

    // After take() was null: why, with module, record and place; empty at the proper end.
    Problem problem() const;
    // A record that cannot be one.
    Problem problem(std::string_view what) const;
    Problem version_problem() const;

  private:
    ModuleRegion region_;
    bool swapped_;
    RegionReader reader_;
    std::uint64_t records_ = 0;
    std::size_t left_over_ = 0;
};

Problem read_counters(ModuleReader& module, const std::function<bool(const CounterRecord&)>& visit);
Problem read_lustre(ModuleReader& module, const std::function<bool(const LustreRecord&)>& visit);
Problem read_heatmap(ModuleReader& module, bool bins_as_in_first,
                     const std::function<bool(const HeatmapRecord&)>& visit);
Problem read_dxt(ModuleReader& module, const std::function<bool(const DxtRecord&)>& record,
                 const std::function<bool(const DxtSegment&)>& segment);

}  // namespace fathom::darshan
