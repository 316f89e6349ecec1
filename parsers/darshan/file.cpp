// Opens a log and reads its modules.
#include "parsers/darshan/file.h"

#include <algorithm>
#include <fmt/format.h>

#include "logformat/log/log.h"
#include "parsers/darshan/header.h"
#include "parsers/darshan/job.h"
#include "parsers/darshan/module_reader.h"

namespace fathom::darshan {

struct File::Parts {
    explicit Parts(const std::string& path) : source(path), header(read_header(source)) {}

    template <class Read>
    Problem each(Module module, Read read) const
    {
        for (const ModuleRegion& region : header.modules)
            if (region.module == module) {
                ModuleReader reader(source, region, header.compression, header.swapped);
                return read(reader);
            }
        return {};
    }

    Source source;
    Header header;
    JobRecord job;
    Names names;
    std::vector<Problem> problems;
};

File::File(const std::string& path) : parts_(std::make_unique<Parts>(path))
{
    auto& problems = parts_->problems;
    const auto note = [&](Problem problem) {
        if (!problem.empty()) problems.push_back(std::move(problem));
    };
    problems = parts_->header.problems;
    Problem of_job = read_job(parts_->source, parts_->header, parts_->job);
    Problem of_names = parts_->names.read(parts_->source, parts_->header);
    note(std::move(of_job));
    note(std::move(of_names));
}

File::~File() = default;
File::File(File&&) noexcept = default;
File& File::operator=(File&&) noexcept = default;

const std::string& File::path() const
{
    return parts_->source.path();
}
std::uint64_t File::size() const
{
    return parts_->source.size();
}
std::string_view File::version() const
{
    return parts_->header.version;
}
Compression File::compression() const
{
    return parts_->header.compression;
}
bool File::other_byte_order() const
{
    return parts_->header.swapped;
}
std::uint64_t File::header_bytes() const
{
    return parts_->header.bytes;
}
const Region& File::job_region() const
{
    return parts_->header.job;
}
const Region& File::name_region() const
{
    return parts_->header.names;
}
const std::vector<ModuleRegion>& File::modules() const
{
    return parts_->header.modules;
}

const ModuleRegion* File::find(Module module) const
{
    for (const ModuleRegion& region : modules())
        if (region.module == module) return &region;
    return nullptr;
}

const JobRecord& File::job() const
{
    return parts_->job;
}
const std::unordered_map<std::uint64_t, std::string_view>& File::names() const&
{
    return parts_->names.all();
}
std::string_view File::name_of(std::uint64_t id) const
{
    const auto found = names().find(id);
    return found == names().end() ? std::string_view() : found->second;
}
const std::vector<Problem>& File::problems() const
{
    return parts_->problems;
}

Problem File::each_record(Module module, const std::function<bool(const CounterRecord&)>& visit) const
{
    return parts_->each(module, [&](ModuleReader& reader) { return read_counters(reader, visit); });
}

Problem File::each_lustre(const std::function<bool(const LustreRecord&)>& visit) const
{
    return parts_->each(Module::lustre, [&](ModuleReader& reader) { return read_lustre(reader, visit); });
}

Problem File::each_heatmap(const std::function<bool(const HeatmapRecord&)>& visit) const
{
    constexpr std::string_view off_by_one[] = {"3.4.0-pre1", "3.4.0", "3.4.1", "3.4.2", "3.4.3"};
    const auto& metadata = job().metadata;
    const bool may_be_off = std::any_of(metadata.begin(), metadata.end(), [&](const auto& entry) {
        return entry.first == "lib_ver" &&
               std::find(std::begin(off_by_one), std::end(off_by_one), entry.second) != std::end(off_by_one);
    });
    return parts_->each(Module::heatmap,
                        [&](ModuleReader& reader) { return read_heatmap(reader, may_be_off, visit); });
}

Problem File::each_dxt(Module module, const std::function<bool(const DxtRecord&)>& record,
                       const std::function<bool(const DxtSegment&)>& segment) const
{
    return parts_->each(module, [&](ModuleReader& reader) { return read_dxt(reader, record, segment); });
}

}  // namespace fathom::darshan
