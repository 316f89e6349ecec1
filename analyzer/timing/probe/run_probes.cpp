// Asks the lanes that are idle at each slot; of one that is not, a row says so.
#include "analyzer/timing/probe/run_probes.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <fmt/format.h>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "analyzer/document/units.h"
#include "analyzer/timing/probe/grid.h"
#include "analyzer/timing/probe/lane.h"
#include "analyzer/timing/probe/path_sums.h"

namespace fathom {
namespace {

constexpr std::uint64_t second = 1'000'000'000;
// How long paths have to say that they cannot be probed, and at the end to come back.
constexpr std::uint64_t time_to_prepare = 2 * second, least_time_to_end = 5 * second,
                        most_time_to_end = 60 * second;
constexpr std::uint64_t look = 20'000'000;  // between two looks at who has come back
// A path that hangs gets a row no more often than this, and a message once it has for so long.
constexpr std::uint64_t between_rows = second, worth_a_message = 10 * second;

std::uint64_t wall_clock()
{
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                          std::chrono::system_clock::now().time_since_epoch())
                                          .count());
}

// What the lanes' threads write to; one that comes back after the end finds it closed.
struct Account {
    std::mutex mutex;
    bool open = true;
    std::vector<PathSums> sums;
    std::deque<std::string> notes;
    std::function<void(std::string)> add;

    void take(std::size_t path, const std::vector<ProbeRow>& rows, const std::string& note)
    {
        const std::lock_guard lock(mutex);
        if (!open) return;
        std::string lines;
        for (const ProbeRow& row : rows) {
            sums[path].add(row);
            lines += csv_line(row);
        }
        if (!note.empty()) notes.push_back(note);
        if (!lines.empty()) add(std::move(lines));
    }
};

struct Watched {
    std::shared_ptr<Lane> lane;
    std::uint64_t asked = 0, told = 0;  // instants: of the last probe, of the last row on its absence
    std::uint64_t missed = 0;           // slots since that row
    bool said = false;
};

class Run {
  public:
    Run(const ProbePlan& plan, const ProbeWorld& world) : plan_(plan), world_(world)
    {
        account_->sums.resize(plan.paths.size());
        account_->add = world.add;
    }

    ProbeOutcome go()
    {
        prepare();
        const bool stopped = !probe();
        end(stopped);
        const std::lock_guard lock(account_->mutex);
        account_->open = false;
        ProbeOutcome outcome;
        for (std::size_t at = 0; at < lanes_.size(); ++at) {
            outcome.operations += account_->sums[at].done();
            outcome.summary.push_back(fmt::format("{}: {}", plan_.paths[at], account_->sums[at].words()));
        }
        return outcome;
    }

  private:
    void prepare()
    {
        for (std::size_t at = 0; at < plan_.paths.size(); ++at)
            lanes_.push_back(
                {Lane::start(std::make_unique<ProbeTarget>(plan_.paths[at], plan_.calls),
                             [account = account_, at](const auto& rows, const std::string& note) {
                                 account->take(at, rows, note);
                             })});
        const std::uint64_t until = world_.now() + time_to_prepare;
        while (world_.now() < until && !all([](const Lane& lane) { return lane.is_idle(); }))
            if (!world_.sleep(world_.now() + look)) break;
        for (Watched& one : lanes_) {
            const std::string trouble = one.lane->trouble();
            if (trouble.empty()) continue;
            end(true);
            throw std::runtime_error(trouble);
        }
    }

    // False where it was stopped.
    bool probe()
    {
        const Grid grid{world_.now(), plan_.every};
        const std::uint64_t slots = plan_.length ? grid.slots_in(*plan_.length) : ~std::uint64_t{0};
        for (std::uint64_t slot = 0; slot < slots; ++slot) {
            if (!wait_until(grid.at(slot))) return false;
            const std::uint64_t now = world_.now();
            const std::uint64_t latest = std::min((now - grid.begin) / grid.every, slots - 1);
            const std::uint64_t late = latest - slot;  // this process was kept from running
            slot = latest;
            for (std::size_t at = 0; at < lanes_.size(); ++at) ask(at, now, late);
            if (plan_.length) tell_progress(world_.tick, slot + 1, slots);
        }
        return true;
    }

    void ask(std::size_t at, std::uint64_t now, std::uint64_t late)
    {
        Watched& one = lanes_[at];
        const bool idle = one.lane->is_idle();
        const std::uint64_t missed = late + (idle ? 0 : 1);
        if (missed > 0) {
            const std::lock_guard lock(account_->mutex);
            account_->sums[at].miss(missed);
        }
        if (idle) {
            one.asked = now;
            one.missed = 0;
            one.said = false;
            one.lane->probe();
            return;
        }
        one.missed += missed;
        if (now - one.asked < between_rows || now - one.told < between_rows) return;
        tell_absence(at, now);
    }

    // A row for those who read the CSV while it hangs.
    void tell_absence(std::size_t at, std::uint64_t now)
    {
        Watched& one = lanes_[at];
        ProbeRow row;
        row.time = wall_clock();
        row.target = one.lane->path();
        row.operation = one.lane->step() == ProbeStep::reading ? "read" : "write";
        row.size = probe_bytes;
        row.error =
            fmt::format("no answer for {:.1f} s; {} missed", static_cast<double>(now - one.asked) / 1e9,
                        report::counted(one.missed, "probe", "probes"));
        world_.add(csv_line(row));
        one.told = now;
        one.missed = 0;
        if (one.said || now - one.asked < worth_a_message) return;
        one.said = true;
        world_.say(fmt::format("{}: the {} has not come back for {}; other paths go on", one.lane->path(),
                               row.operation,
                               report::format_seconds(static_cast<double>(now - one.asked) / 1e9)));
    }

    bool wait_until(std::uint64_t instant)
    {
        for (;;) {
            say_notes();
            if (world_.closed()) return false;
            const std::uint64_t now = world_.now();
            if (now >= instant) return true;
            if (!world_.sleep(std::min(instant, now + second))) return false;
        }
    }

    void say_notes()
    {
        std::deque<std::string> notes;
        {
            const std::lock_guard lock(account_->mutex);
            notes.swap(account_->notes);
        }
        for (const std::string& note : notes) world_.say(note);
    }

    template <class Is>
    bool all(Is is) const
    {
        return std::all_of(lanes_.begin(), lanes_.end(), [&](const Watched& one) { return is(*one.lane); });
    }

    void end(bool stopped)
    {
        for (Watched& one : lanes_) one.lane->stop();
        const std::uint64_t patience =
            stopped ? least_time_to_end : std::clamp(plan_.every, least_time_to_end, most_time_to_end);
        const std::uint64_t until = world_.now() + patience;
        while (world_.now() < until && !all([](const Lane& lane) { return lane.is_over(); }))
            if (!world_.sleep(world_.now() + look)) break;
        say_notes();
        for (const Watched& one : lanes_)
            if (!one.lane->is_over())
                world_.say(one.lane->path() +
                           ": has not come back; its file may stay behind, and the next probe "
                           "of this path removes it");
    }

    const ProbePlan& plan_;
    const ProbeWorld& world_;
    std::shared_ptr<Account> account_ = std::make_shared<Account>();
    std::vector<Watched> lanes_;
};

}  // namespace

ProbeOutcome run_probes(const ProbePlan& plan, const ProbeWorld& world)
{
    return Run(plan, world).go();
}

}  // namespace fathom
