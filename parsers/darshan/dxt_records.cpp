// Reads traces, operation by operation.
#include <algorithm>
#include <unordered_set>

#include "parsers/darshan/module_reader.h"

namespace fathom::darshan {
namespace {

constexpr std::size_t head_bytes = 24 + host_bytes + 16;

// How an operation lies in a version of a module.
struct SegmentForm {
    Module module{};
    std::uint32_t version = 0;
    bool has_offset = true, has_thread = false;
};
constexpr SegmentForm forms[] = {{Module::dxt_posix, 1},
                                 {Module::dxt_posix, 2, true, true},
                                 {Module::dxt_mpiio, 1, false},
                                 {Module::dxt_mpiio, 2},
                                 {Module::dxt_mpiio, 3, true, true}};

// Operations of a record up to so many bytes are looked at before they are visited.
constexpr std::int64_t most_ahead = std::int64_t{4} << 20;

// How many threads differ among these operations, the last word of each. Most often it is one.
std::size_t threads_among(const ModuleReader& module, std::span<const std::byte> segments, std::size_t bytes)
{
    if (segments.empty()) return 0;
    const auto thread = [&](std::size_t at) {
        return module.number<std::uint64_t>(segments.data() + at + bytes - sizeof(std::uint64_t));
    };
    std::uint64_t last = thread(0);
    std::unordered_set<std::uint64_t> seen{last};
    for (std::size_t at = bytes; at < segments.size(); at += bytes)
        if (const std::uint64_t next = thread(at); next != last) seen.insert(last = next);
    return seen.size();
}

}  // namespace

Problem read_dxt(ModuleReader& module, const std::function<bool(const DxtRecord&)>& record,
                 const std::function<bool(const DxtSegment&)>& segment)
{
    const auto* const form = std::find_if(std::begin(forms), std::end(forms), [&](const SegmentForm& one) {
        return one.module == module.region().module && one.version == module.region().version;
    });
    if (form == std::end(forms)) return module.version_problem();
    const std::size_t segment_bytes = form->has_thread ? 40 : 32;
    while (const std::byte* const bytes = module.take(head_bytes)) {
        char host[host_bytes];
        std::memcpy(host, bytes + 24, host_bytes);
        DxtRecord head;
        head.id = module.number<std::uint64_t>(bytes);
        head.rank = module.number<std::int64_t>(bytes + 8);
        head.shared = module.number<std::int64_t>(bytes + 16);
        head.host = std::string_view(host, strnlen(host, host_bytes));
        head.writes = module.number<std::int64_t>(bytes + 24 + host_bytes);
        head.reads = module.number<std::int64_t>(bytes + 32 + host_bytes);
        head.has_threads = form->has_thread;
        if (head.writes < 0 || head.reads < 0) return module.problem("a number of operations is negative");
        const auto most = most_ahead / static_cast<std::int64_t>(segment_bytes);
        if (form->has_thread && head.writes <= most && head.reads <= most - head.writes) {
            const auto bytes_ahead = static_cast<std::size_t>(head.writes + head.reads) * segment_bytes;
            head.threads = threads_among(module, module.ahead(bytes_ahead), segment_bytes);
        }
        bool wanted = record(head);
        for (const bool write : {true, false})
            for (std::int64_t left = write ? head.writes : head.reads; left > 0; --left) {
                const std::byte* const at = module.take(segment_bytes);
                if (at == nullptr) {
                    const Problem trouble = module.problem();
                    return trouble.empty() ? module.problem("operations are missing") : trouble;
                }
                if (!wanted) continue;
                DxtSegment one;
                one.write = write;
                one.offset = form->has_offset ? module.number<std::int64_t>(at) : -1;
                one.length = module.number<std::int64_t>(at + 8);
                one.start = module.number<double>(at + 16);
                one.end = module.number<double>(at + 24);
                if (form->has_thread) one.thread = module.number<std::uint64_t>(at + 32);
                if (!segment(one)) return {};
            }
        module.count_record();
    }
    return module.problem();
}

}  // namespace fathom::darshan
