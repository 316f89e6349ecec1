// Fuzzes the readers of what sites record. The first byte says which source reads the rest; databases, which
// SOCI opens by themselves, are left out.
#include <cstdlib>

#include "logformat/log/log.h"
#include "parsers/series/source.h"
#include "parsers/series/unpack.h"

namespace {

using namespace fathom;

void check(const series::Table& table)
{
    for (const series::Series& one : table.series) {
        if (one.component >= table.components.size() || one.samples.empty()) std::abort();
        const series::Sample* before = nullptr;
        for (const series::Sample& sample : one.samples) {
            const bool ordered =
                sample.begin <= sample.end && (before == nullptr || sample.begin >= before->end);
            const bool sane =
                sample.value - sample.value == 0 && (one.kind == series::Kind::level || sample.value >= 0);
            if (!ordered || !sane) std::abort();
            before = &sample;
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size)
{
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    const auto sources = series::sources();
    const series::Source& source = sources[1 + data[0] % (sources.size() - 1)];
    series::Table table;
    series::Builder builder(table);
    builder.begin_file("file");
    static_cast<void>(source.recognises("h/disk-a/disk_ops", text.substr(0, series::first_bytes_shown)));
    try {
        source.read({"h/disk-a/disk_ops-2026-11-23", text, 1, "host", "system", {}}, builder);
        if (series::is_tar(text)) series::each_in_tar(text, [](const series::Member&) {});
    } catch (const LogError&) {
    }
    builder.finish();
    check(table);
    return 0;
}
