// Reads traces, operation by operation.
#include <algorithm>

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
