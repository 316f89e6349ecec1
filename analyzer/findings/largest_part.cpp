// Sums by layer and kind of call, at the level that the program called.
#include "analyzer/findings/largest_part.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "analyzer/document/units.h"
#include "analyzer/findings/other_calls.h"
#include "analyzer/findings/scene.h"

namespace fathom {
namespace {

using namespace report;

enum class Sort { read, write, sync, collective_read, collective_write, mixed_read, mixed_write, metadata };

struct Part {
    LostTime time;
    const FileUse* most = nullptr;
    double time_of_most = 0;
};

constexpr std::string_view calls_of(Layer layer, Sort sort)
{
    constexpr std::string_view names[][layers] = {
        {"reads (read, pread and the like)", "reads (fread, fgets and the like)",
         "independent reads (MPI_File_read_at and the like)"},
        {"writes (write, pwrite and the like)", "writes (fwrite, fprintf and the like)",
         "independent writes (MPI_File_write_at and the like)"},
        {"syncs (fsync, fdatasync and the like)", "flushes (fflush)", "MPI_File_sync"},
        {"", "", "collective reads (MPI_File_read_all and the like)"},
        {"", "", "collective writes (MPI_File_write_all and the like)"},
        {"", "", "reads (MPI_File_read_all, MPI_File_read_at and the like)"},
        {"", "", "writes (MPI_File_write_all, MPI_File_write_at and the like)"},
        {"calls that move no data", "calls that move no data", "calls that move no data"}};
    return names[static_cast<std::size_t>(sort)][static_cast<std::size_t>(layer)];
}

// Of calls that move no data, which took so many nanoseconds on files and folders, the kind that took most,
// where operations were timed.
std::string metadata_calls(const Scene& scene, Layer layer, double part, const FileUse& file)
{
    Kind most = Kind::other;
    for (std::size_t at = 0; at < kind_count; ++at)
        if (const auto kind = static_cast<Kind>(at);
            is_metadata(kind) && scene.operations(layer, kind).time > scene.operations(layer, most).time)
            most = kind;
    const OperationSum sum = scene.operations(layer, most);
    std::string words(calls_of(layer, Sort::metadata));
    if (sum.operations == 0) return words;
    const std::string others = most == Kind::other ? commonest_others(scene.job, layer) : "";
    words += fmt::format(", most of it in {} ({})", counted(sum.operations, "call", "calls"),
                         others.empty() ? kind_row(most).name : others);
    if (most == Kind::close && file.system.bytes_written > 0 && !on_local_file_system(scene.job, file))
        words += ", which waits for the server to have what was written";
    if (static_cast<double>(sum.time) <= part)
        words += fmt::format(", {}{}", format_seconds(static_cast<double>(sum.time) / 1e9),
                             scene.job.ranks.size() > 1 ? fmt::format(" of all {}", scene.members()) : "");
    return words;
}

// By which calls a file is moved in one direction.
Sort sort_of(const FileCase& file, Direction direction)
{
    const bool reads = direction == Direction::read;
    const CallsOfRanks calls = file.calls_of_ranks(direction);
    if (calls.together > calls.all / 2) return reads ? Sort::collective_read : Sort::collective_write;
    // A few may move most.
    if (calls.together > 0) return reads ? Sort::mixed_read : Sort::mixed_write;
    return reads ? Sort::read : Sort::write;
}

std::string place_of(const FileUse& use)
{
    if (use.kind == NameKind::by_path)
        return fmt::format("files below {} that were not opened",
                           use.path.substr(0, use.path.rfind('/') + 1));
    return std::string(use.path);
}

}  // namespace

std::optional<Entry> largest_part(const Scene& scene)
{
    std::map<std::pair<Layer, Sort>, Part> parts;
    const auto add_file = [&](const FileUse& use, std::span<const RecordView> records, Sort reads,
                              Sort writes) {
        std::map<std::pair<Layer, Sort>, double> of_file;
        for (const RecordView& record : records) {
            if (use.by_mpiio != (record.layer == Layer::mpiio)) continue;
            const auto add = [&](Sort sort, std::uint64_t time) {
                if (time == 0) return;
                Part& part =
                    parts.try_emplace({record.layer, sort}, Part{.time = LostTime(scene.job)}).first->second;
                part.time.add(record, static_cast<double>(time));
                of_file[{record.layer, sort}] += static_cast<double>(time);
            };
            add(reads, record[&Transfers::read_time]);
            add(writes, record[&Transfers::write_time] - record[&Transfers::sync_time]);
            add(Sort::sync, record[&Transfers::sync_time]);
            add(Sort::metadata, record[&Transfers::metadata_time]);
        }
        for (const auto& [calls, time] : of_file) {
            Part& part = parts.at(calls);
            if (time <= part.time_of_most) continue;
            part.time_of_most = time;
            part.most = &use;
        }
    };
    for (const FileCase& file : scene.files)
        add_file(*file.use, file.records, sort_of(file, Direction::read), sort_of(file, Direction::write));
    scene.job.each_file([&](const FileUse& use, std::span<const RecordView> records) {
        if (use.kind == NameKind::directory) add_file(use, records, Sort::read, Sort::write);
    });
    const auto cost = [&](const auto& part) { return scene.cost(part.second.time); };
    const auto most = std::max_element(parts.begin(), parts.end(),
                                       [&](const auto& a, const auto& b) { return cost(a) < cost(b); });
    if (most == parts.end()) return std::nullopt;
    const auto [layer, sort] = most->first;
    std::size_t longest = 0;
    for (std::size_t at = 0; at < scene.job.ranks.size(); ++at)
        if (most->second.time.of(at) > most->second.time.of(longest)) longest = at;
    std::string words = fmt::format(
        "in {}: {}, most in {}", layer_titles[static_cast<std::size_t>(layer)],
        sort == Sort::metadata ? metadata_calls(scene, layer, most->second.time.total(), *most->second.most)
                               : std::string(calls_of(layer, sort)),
        place_of(*most->second.most));
    if (scene.job.ranks.size() > 1 && scene.job.told_apart() && most->second.time.of_single_ranks())
        words += fmt::format(", {} longest, {}", scene.job.rank_name(longest),
                             format_seconds(most->second.time.of(longest) / 1e9));
    // Of ranks the mean, as the time in I/O above it.
    const double part = scene.job.mpi && scene.job.told_apart()
                            ? most->second.time.total() / 1e9 / static_cast<double>(scene.job.ranks.size())
                            : cost(*most);
    return Entry{"largest_part", "largest part of the I/O", seconds(part), words};
}

}  // namespace fathom
