// Goes over the modules of one log and puts their records into another.
#include "parsers/darshan/copy.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <set>
#include <tuple>

#include "parsers/darshan/dataset.h"
#include "parsers/darshan/record_id.h"
#include "parsers/darshan/writer.h"
#include "parsers/parser.h"

namespace fathom::darshan {
namespace {

class Copy {
  public:
    Copy(const File& from, const std::string& to, const Changes& changes)
        : from_(from), changes_(changes), writer_(to, changed_job())
    {
        for (const Problem& problem : from.problems()) told_.push_back(problem);
        tell_of_job();
    }

    std::vector<std::string> make()
    {
        copy_names();
        for (const ModuleRegion& region : from_.modules()) copy_module(region);
        writer_.finish();
        return std::move(told_);
    }

  private:
    JobRecord changed_job() const
    {
        JobRecord job = from_.job();
        if (changes_.job) changes_.job(job);
        return job;
    }

    void tell_of_job()
    {
        const JobText& text = writer_.job_text();
        if (text.command_cut) told_.push_back("the end of the command line: there is no more room for it");
        if (text.metadata_left_out > 0)
            told_.push_back(
                fmt::format("{} of the job's notes: there is no more room", text.metadata_left_out));
        if (text.mounts_left_out > 0)
            told_.push_back(fmt::format("{} mounts: there is no more room", text.mounts_left_out));
    }

    // Sorted by id: what is written does not depend on how names are kept.
    void copy_names()
    {
        const std::map<std::uint64_t, std::string_view> names(from_.names().begin(), from_.names().end());
        std::set<std::uint64_t> taken;
        for (const auto& [id, name] : names) {
            if (!is_wanted(id)) continue;
            const bool changes = changes_.name && !name.empty();
            const std::string now = changes ? changes_.name(name) : std::string(name);
            // Several objects may have one name.
            if (changes && taken.insert(record_id(now)).second) ids_[id] = record_id(now);
            writer_.add_name(id_of(id), now);
        }
    }

    bool is_wanted(std::uint64_t id) const { return !changes_.only || changes_.only(id, from_.name_of(id)); }

    std::uint64_t id_of(std::uint64_t id) const
    {
        if (id == 0) return id;
        const auto found = ids_.find(id);
        if (found != ids_.end()) return found->second;
        return changes_.unnamed && changes_.name ? changes_.unnamed(id) : id;
    }

    std::string text_of(std::string_view text) const
    {
        return changes_.text && !text.empty() ? changes_.text(text) : std::string(text);
    }

    void copy_module(const ModuleRegion& region)
    {
        const std::string_view name = name_of(region.module);
        if (region.partial) writer_.mark_partial(region.module);
        Problem problem;
        if (counters_of(region.module) != nullptr)
            problem = copy_counters(region.module);
        else if (region.module == Module::lustre)
            problem = copy_lustre();
        else if (region.module == Module::heatmap)
            problem = copy_heatmap();
        else if (region.module == Module::dxt_posix || region.module == Module::dxt_mpiio)
            problem = copy_dxt(region.module);
        else
            told_.push_back(fmt::format("module {}: it is not decoded", region.module == Module::none
                                                                            ? fmt::format("{}", region.slot)
                                                                            : std::string(name)));
        if (problem.empty()) return;
        told_.push_back(problem);
        writer_.mark_partial(region.module);
    }

    Problem copy_counters(Module module)
    {
        std::vector<std::int64_t> numbers;
        return from_.each_record(module, [&](const CounterRecord& record) {
            if (!is_wanted(record.id) && (record.container == 0 || !is_wanted(record.container))) return true;
            CounterRecord copy = record;
            copy.id = id_of(record.id);
            copy.container = id_of(record.container);
            if (module == Module::posix && changes_.name) {
                constexpr std::size_t renamed_from = posix("RENAMED_FROM");
                numbers.assign(record.numbers.begin(), record.numbers.end());
                numbers[renamed_from] =
                    static_cast<std::int64_t>(id_of(static_cast<std::uint64_t>(numbers[renamed_from])));
                copy.numbers = numbers;
            }
            writer_.add(module, copy);
            return true;
        });
    }

    Problem copy_lustre()
    {
        return from_.each_lustre([&](const LustreRecord& record) {
            if (!is_wanted(record.id)) return true;
            LustreRecord copy = record;
            copy.id = id_of(record.id);
            std::vector<std::string> pools;
            for (const LustreComponent& one : record.components) pools.push_back(text_of(one.pool));
            for (std::size_t at = 0; at < pools.size(); ++at) copy.components[at].pool = pools[at];
            writer_.add(copy);
            return true;
        });
    }

    Problem copy_heatmap()
    {
        if (changes_.only) {
            told_.push_back("module HEATMAP: it is of all files together");
            return {};
        }
        return from_.each_heatmap([&](const HeatmapRecord& record) {
            HeatmapRecord copy = record;
            copy.id = id_of(record.id);
            writer_.add(copy);
            return true;
        });
    }

    // Where a trace is damaged: the number of its last record, and how many of its operations are there.
    struct Readable {
        std::size_t record = 0;
        std::int64_t writes = 0, reads = 0;
        bool whole = true;
    };
    Readable readable_of(Module module) const
    {
        Readable there;
        const Problem problem = from_.each_dxt(
            module,
            [&](const DxtRecord&) {
                there = {there.record + 1};
                return true;
            },
            [&](const DxtSegment& segment) {
                ++(segment.write ? there.writes : there.reads);
                return true;
            });
        there.whole = problem.empty();
        return there;
    }

    Problem copy_dxt(Module module)
    {
        const Readable there = readable_of(module);
        std::size_t number = 0;
        return from_.each_dxt(
            module,
            [&](const DxtRecord& record) {
                DxtRecord copy = record;
                // A record says how many operations follow it.
                if (++number == there.record && !there.whole)
                    std::tie(copy.writes, copy.reads) = std::tie(there.writes, there.reads);
                if (!is_wanted(record.id)) return false;
                copy.id = id_of(record.id);
                const std::string host = text_of(record.host);
                copy.host = host;
                writer_.add(module, copy);
                return true;
            },
            [&](const DxtSegment& segment) {
                writer_.add(segment);
                return true;
            });
    }

    const File& from_;
    const Changes& changes_;
    std::vector<std::string> told_;
    std::unordered_map<std::uint64_t, std::uint64_t> ids_;
    Writer writer_;
};

}  // namespace

std::vector<std::string> copy_log(const File& from, const std::string& to, const Changes& changes)
{
    return Copy(from, to, changes).make();
}

}  // namespace fathom::darshan
