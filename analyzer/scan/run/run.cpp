// One thread waits, tells how far it is and keeps what is done; all others walk.
#include "analyzer/scan/run/run.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <unistd.h>

#include "analyzer/scan/count/names.h"
#include "logformat/version.h"

namespace fathom::scan {
namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned look_every = 50;      // ms
constexpr unsigned most_lanes = 8;       // each has sums of its own
constexpr double share_of_keeping = 20;  // of the time, one part goes into checkpoints at most

double seconds_since(Clock::time_point instant)
{
    return std::chrono::duration<double>(Clock::now() - instant).count();
}

std::map<std::uint32_t, std::string> names_of(const Tallies& tallies, std::string (*name)(std::uint32_t))
{
    std::map<std::uint32_t, std::string> names;
    for (const auto& [key, tally] : tallies) {
        const auto id = static_cast<std::uint32_t>(std::stoul(key));
        names.emplace(id, name(id));
    }
    return names;
}

std::string name_of_host()
{
    char name[256] = {};
    return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

class Run {
  public:
    Run(Scan&& scan, const RunOptions& options, const RunWorld& world)
        : scan_(std::move(scan)),
          rules_(scan_.asked.projects),
          is_new_(scan_.began == 0),
          lanes_(std::clamp(options.threads, 1u, most_lanes)),
          counter_(lanes_, rules_, is_new_ ? scan_.began = std::time(nullptr) : scan_.began),
          walked_before_(scan_.walked),
          options_(options),
          world_(world)
    {
        if (!is_new_) {
            ++scan_.sittings;
            counter_.put_back(std::move(scan_.counts));
            for (LinkedFile& file : scan_.links) counter_.links().put_back(std::move(file));
        }
        scan_.host = name_of_host();
        scan_.program = fathom_version;
    }

    Scan run()
    {
        Walk walk({scan_.asked.roots, options_.threads, lanes_, scan_.asked.other_mounts, options_.limit},
                  [&](std::size_t lane, const Window& window) { counter_.take(lane, window); });
        const std::vector<PendingFolder> pending = std::move(scan_.pending);
        if (is_new_)
            walk.begin();
        else
            walk.go_on(pending);
        double interval = options_.checkpoint;
        Clock::time_point kept = Clock::now();
        while (!walk.wait(look_every)) {
            tell_progress(world_.tick, walk.looked_at(), 0);
            if (world_.stop) {
                walk.stop();
                if (walk.wait(0)) break;
                keep(walk);
                return std::move(scan_);
            }
            if (seconds_since(kept) < interval) continue;
            const Clock::time_point begin = Clock::now();
            keep(walk);
            kept = Clock::now();
            interval = std::max(options_.checkpoint, share_of_keeping * seconds_since(begin));
        }
        walk.stop();
        end();
        return std::move(scan_);
    }

  private:
    void keep(Walk& walk)
    {
        scan_.links.clear();
        scan_.pending = walk.pending([&] {
            scan_.counts = counter_.counts();
            counter_.links().each([&](const LinkedFile& file) { scan_.links.push_back(file); });
        });
        count_time();
        world_.keep(scan_);
    }

    void end()
    {
        scan_.pending.clear();
        scan_.links.clear();
        scan_.counts = counter_.counts_with_links();
        scan_.users = names_of(scan_.counts.by(By::user), user_name);
        scan_.groups = names_of(scan_.counts.by(By::group), group_name);
        scan_.counts.join_small_keys();
        count_time();
        scan_.has_ended = true;
    }

    void count_time()
    {
        scan_.ended = std::time(nullptr);
        scan_.walked = walked_before_ + static_cast<std::uint64_t>(seconds_since(start_) * 1000);
    }

    Scan scan_;
    Rules rules_;
    bool is_new_;
    unsigned lanes_;
    Counter counter_;
    std::uint64_t walked_before_;
    const RunOptions& options_;
    const RunWorld& world_;
    Clock::time_point start_ = Clock::now();
};

}  // namespace

Scan run_scan(Scan scan, const RunOptions& options, const RunWorld& world)
{
    return Run(std::move(scan), options, world).run();
}

}  // namespace fathom::scan
