// `fathom measure`: how long reads and writes take here, when nothing, the page cache or a device is behind
// them.
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>
#include <unistd.h>

#include "analyzer/commands/commands.h"
#include "analyzer/commands/measure_options.h"
#include "analyzer/measure/clock.h"
#include "analyzer/measure/room.h"
#include "analyzer/measure/samples_csv.h"
#include "analyzer/output/message.h"
#include "analyzer/output/progress.h"
#include "analyzer/output/stop_signals.h"

namespace fathom {
namespace {

using namespace measure;

int run(const MeasureOptions& options)
{
    const DiskRoom disk = disk_room(options.folder);
    const std::uint64_t memory = free_memory();
    const Settings settings = settings_of(options, disk.free, memory);
    const StopSignals signals;
    Progress progress;
    GrowingCsv samples(options.output, samples_header, options.overwrite);
    GrowingCsv checks(checks_beside(options.output), checks_header, options.overwrite);
    const std::uint64_t begin = now();
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    measure::measure(settings,
                     {[&](const Configuration& one, unsigned thread, std::span<const Sample> made) {
                          add_samples(samples, one, thread, made, begin);
                      },
                      [&](const Check& check) { add_check(checks, check, page); }},
                     signals.came(), progress);
    samples.flush();
    checks.flush();
    return exit_done;
}

}  // namespace

Action declare_measure(CLI::App& app)
{
    const auto options = std::make_shared<MeasureOptions>();
    declare_measure_options(app, *options);
    return [options, &app] {
        options->has_time_limit = app.count("--time-limit") > 0;
        return run(*options);
    };
}

}  // namespace fathom
