// Takes the modules one after the other.
#include "parsers/darshan/dataset.h"

#include "parsers/darshan/header.h"
#include "parsers/darshan/import.h"
#include "parsers/darshan/trace.h"
#include "parsers/darshan/words.h"

namespace fathom::darshan {

bool is_darshan_log(std::string_view first_bytes)
{
    if (first_bytes.size() < magic_offset + sizeof magic) return false;
    const auto* const at = reinterpret_cast<const std::byte*>(first_bytes.data()) + magic_offset;
    return load_number<std::int64_t>(at, false) == magic || load_number<std::int64_t>(at, true) == magic;
}

Log log_of(const std::shared_ptr<const File>& file, const Tick& tick)
{
    Log log;
    Import import(*file, log);
    constexpr void (*const steps[])(Import&) = {import_job,     import_records, import_libraries,
                                                import_layouts, import_timings, import_processes};
    std::uint64_t done = 0;
    for (const auto step : steps) {
        step(import);
        tell_progress(tick, file->size() * ++done / std::size(steps), file->size());
    }
    import.names.make_rows(log);
    offer_trace(file, import);
    return log;
}

Log read_darshan_log(const std::string& path, const Tick& tick)
{
    return log_of(std::make_shared<const File>(path), tick);
}

}  // namespace fathom::darshan
