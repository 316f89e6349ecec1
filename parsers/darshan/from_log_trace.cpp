// A trace, thread by thread and in the order of time, becomes DXT: by file and process, writes before reads.
//
// Memory is bounded: the trace is read once to count what there is of each file and process, then again and
// again, each time for as many of these as there is room for.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <tuple>

#include "logformat/log/trace.h"
#include "parsers/darshan/from_log.h"
#include "parsers/darshan/from_log_parts.h"

namespace fathom::darshan {
namespace {

struct Key {
    Module module{};
    std::int64_t rank = 0;
    std::uint64_t file = 0;

    auto operator<=>(const Key&) const = default;
};

struct Operations {
    std::int64_t writes = 0, reads = 0;
    std::vector<DxtSegment> segments;
};
using ByKey = std::map<Key, Operations>;

// Most operations are on the file of the one before.
class Finder {
  public:
    template <class Find>
    Operations& operator()(const Key& key, Find find)
    {
        if (found_ == nullptr || key != key_) {
            key_ = key;
            found_ = find(key);
        }
        return *found_;
    }

  private:
    Key key_;
    Operations* found_ = nullptr;
};

class DxtMaker {
  public:
    DxtMaker(const LogView& view, Writer& writer) : view_(view), writer_(writer)
    {
        for (const Process* const process : view.ranks().rows())
            hosts_.emplace(*view.rank_of(process->process), process->host);
    }

    void make(Losses& losses)
    {
        count();
        for (auto first = files_.begin(); first != files_.end();) {
            std::size_t operations = 0;
            auto last = first;
            while (last != files_.end()) {
                const auto more = static_cast<std::size_t>(last->second.writes + last->second.reads);
                if (last != first && operations + more > most_sorted_operations) break;
                operations += more;
                ++last;
            }
            collect(first, last);
            for (; first != last; ++first) write(first->first, first->second);
        }
        tell(losses);
    }

  private:
    // Nothing for an operation that is no rank's or on no file, or that DXT does not have.
    std::optional<Key> key_of(const TraceEvent& event) const
    {
        if (!moves_data(event.kind) || event.layer == Layer::stdio || !is_told(event)) return std::nullopt;
        return Key{event.layer == Layer::posix ? Module::dxt_posix : Module::dxt_mpiio,
                   *view_.rank_of(event.process), event.file};
    }
    bool is_told(const TraceEvent& event) const
    {
        return view_.rank_of(event.process) && view_.tells_file(event.file);
    }

    void count()
    {
        Finder finder;
        problems_ = for_each_traced(view_.log(), [&](const TraceEvent& event) {
            const auto key = key_of(event);
            if (!key) {
                if (is_told(event)) ++(event.layer == Layer::stdio ? of_stdio_ : of_other_kinds_);
                return;
            }
            threads_ |= event.thread != 0;
            Operations& operations = finder(*key, [&](const Key& one) { return &files_[one]; });
            ++(event.kind == Kind::write ? operations.writes : operations.reads);
        });
    }

    void collect(ByKey::iterator first, ByKey::iterator last)
    {
        for (auto at = first; at != last; ++at)
            at->second.segments.reserve(static_cast<std::size_t>(at->second.writes + at->second.reads));
        const Key from = first->first, to = std::prev(last)->first;
        Finder finder;
        for_each_traced(view_.log(), [&](const TraceEvent& event) {
            const auto key = key_of(event);
            if (!key || *key < from || to < *key) return;
            Operations& operations = finder(*key, [&](const Key& one) { return &files_[one]; });
            operations.segments.push_back(
                {event.kind == Kind::write,
                 event.offset == no_offset ? -1 : static_cast<std::int64_t>(event.offset),
                 static_cast<std::int64_t>(event.size), view_.seconds_at(event.start),
                 view_.seconds_at(event.start + event.duration), event.tid});
        });
    }

    // In the order in which they ended, as Darshan sees them.
    void write(const Key& key, Operations& operations)
    {
        std::stable_sort(operations.segments.begin(), operations.segments.end(),
                         [](const DxtSegment& a, const DxtSegment& b) {
                             return std::tuple(!a.write, a.end) < std::tuple(!b.write, b.end);
                         });
        const auto host = hosts_.find(key.rank);
        writer_.add(key.module, DxtRecord{view_.id_of(key.file), key.rank, 0,
                                          host == hosts_.end() ? std::string_view() : host->second,
                                          operations.writes, operations.reads, threads_});
        for (const DxtSegment& segment : operations.segments) writer_.add(segment);
        operations.segments = {};
    }

    void tell(Losses& losses) const
    {
        losses.add(problems_);
        if (of_stdio_ > 0) losses.add(fmt::format("traced operations of stdio: {}", of_stdio_));
        if (of_other_kinds_ > 0)
            losses.add(fmt::format("traced operations that are neither read nor write: {}", of_other_kinds_));
    }

    const LogView& view_;
    Writer& writer_;
    std::unordered_map<std::int64_t, std::string_view> hosts_;
    ByKey files_;
    bool threads_ = false;  // some process has several
    std::uint64_t of_stdio_ = 0, of_other_kinds_ = 0;
    std::vector<std::string> problems_;
};

}  // namespace

void write_trace(const LogView& view, Writer& writer, Losses& losses)
{
    if (has_trace(view.log())) DxtMaker(view, writer).make(losses);
}

}  // namespace fathom::darshan
