#include "analyzer/series/report/servers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fathom::series {
namespace {

constexpr std::size_t cells_held = std::size_t{1} << 23;
constexpr std::size_t most_bands = 32, most_slots = 240;
constexpr Nanoseconds hour = Nanoseconds{3600} * one_second;
constexpr Nanoseconds short_time = 4 * hour;  // shorter loads have a cell a bin
constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

// Rates of all servers, for a part of the bins at a time.
class ServerRates {
  public:
    ServerRates(const Pools& pools, const Pool& pool, const Grid& grid) : grid_(grid)
    {
        for (const std::uint32_t member : pool.members) {
            auto& [read, written] = series_.emplace_back();
            for (const Series* const series : pools.series_of(member)) {
                if (series->kind != Kind::amount || series->samples.empty()) continue;
                if (series->quantity == "bytes_read") read = series;
                if (series->quantity == "bytes_written") written = series;
            }
        }
        bins_ = std::clamp<std::size_t>(cells_held / std::max<std::size_t>(series_.size(), 1), 1,
                                        std::max<std::size_t>(grid.count, 1));
    }

    // visit(first bin), after which rate() has those from there on, bins() of them.
    template <class Visit>
    void each_part(const Visit& visit)
    {
        for (std::size_t first = 0; first < grid_.count; first += bins_) {
            bins_ = std::min(bins_, grid_.count - first);
            rates_.resize(bins_ * series_.size());
            for (std::size_t server = 0; server < series_.size(); ++server) fill(server, first);
            visit(first);
        }
    }
    std::size_t bins() const { return bins_; }
    // Bytes a second, NaN: not known.
    double rate(std::size_t server, std::size_t bin) const
    {
        return static_cast<double>(rates_[server * bins_ + bin]);
    }

  private:
    void fill(std::size_t server, std::size_t first)
    {
        const Grid part{grid_.begin_of(first), grid_.length, bins_};
        const double least = seconds_in(grid_.length) * least_covered;
        float* const to = rates_.data() + server * bins_;
        std::fill_n(to, bins_, static_cast<float>(not_known));
        there_.assign(bins_, false);
        for (const Series* const series : {series_[server].first, series_[server].second}) {
            if (series == nullptr) continue;
            one_.assign(bins_, Bin{});
            add_to_bins(*series, part, one_, grid_.length);
            for (std::size_t at = 0; at < bins_; ++at) {
                // Not there yet, or gone, is not missing.
                if (part.begin_of(at + 1) <= series->samples.front().begin ||
                    part.begin_of(at) >= series->samples.back().end)
                    continue;
                const auto rate = static_cast<float>(one_[at].covered >= least ? one_[at].rate() : not_known);
                to[at] = there_[at] ? to[at] + rate : rate;
                there_[at] = true;
            }
        }
    }

    Grid grid_;
    std::vector<std::pair<const Series*, const Series*>> series_;
    std::size_t bins_ = 1;
    std::vector<float> rates_;
    std::vector<Bin> one_;
    std::vector<bool> there_;  // whether a series of the server is, in each bin
};

void add_totals(const Pools& pools, const Pool& pool, ServerLoads& loads)
{
    double sum = 0, squares = 0, largest = 0;
    for (const std::uint32_t member : pool.members) {
        ServerLoad& server = loads.servers.emplace_back();
        server.component = member;
        for (const Series* const series : pools.series_of(member)) {
            if (series->kind != Kind::amount) continue;
            const bool read = series->quantity == "bytes_read";
            if (!read && series->quantity != "bytes_written") continue;
            for (const Sample& sample : series->samples)
                (read ? server.bytes_read : server.bytes_written) += sample.value;
        }
        sum += server.bytes();
        largest = std::max(largest, server.bytes());
    }
    if (!(sum > 0)) return;
    const auto count = static_cast<double>(loads.servers.size());
    const double mean = sum / count;
    for (const ServerLoad& server : loads.servers) squares += std::pow(server.bytes() - mean, 2);
    loads.largest_to_mean = largest / mean;
    loads.variation = std::sqrt(squares / count) / mean;
}

// Hours, or several of them; bins where the time is short.
Grid slots_over(const Grid& grid, Nanoseconds length)
{
    return grid_over({grid.begin, grid.begin_of(std::max<std::size_t>(grid.count, 1) - 1) + 1}, length);
}

void lay_out_map(const Grid& grid, Nanoseconds cell, ServerLoads& loads)
{
    Nanoseconds length = cell;
    for (Nanoseconds times = 1; slots_over(grid, length).count > most_slots; ++times) length = cell * times;
    loads.slots = slots_over(grid, length);
    const std::size_t servers = loads.servers.size(), bands = std::min(servers, most_bands);
    for (std::size_t at = 0; at < bands; ++at) {
        const std::size_t first = at * servers / bands;
        loads.bands.push_back({first, (at + 1) * servers / bands - first});
    }
    loads.map.assign(bands, std::vector<double>(loads.slots.count, not_known));
}

void add_to_map(const ServerRates& rates, std::size_t first, const Grid& grid, ServerLoads& loads)
{
    for (std::size_t band = 0; band < loads.bands.size(); ++band)
        for (std::size_t server = loads.bands[band].first;
             server < loads.bands[band].first + loads.bands[band].bins; ++server)
            for (std::size_t at = 0; at < rates.bins(); ++at) {
                const double rate = rates.rate(server, at);
                if (!std::isfinite(rate)) continue;
                const auto slot = static_cast<std::size_t>((grid.begin_of(first + at) - loads.slots.begin) /
                                                           loads.slots.length);
                double& highest = loads.map[band][slot];
                highest = std::fmax(highest, rate);
                loads.servers[server].peak = std::max(loads.servers[server].peak, rate);
            }
}

// Classes of cells, each of a server and a slot, as time goes on.
class Cells {
  public:
    Cells(const Grid& slots, ServerLoads& loads)
        : slots_(slots), loads_(loads), now_(loads.servers.size(), {-1, not_known})
    {}
    void add(std::size_t server, Nanoseconds begin, double rate)
    {
        if (!std::isfinite(rate)) return;
        const Nanoseconds slot = (begin - slots_.begin) / slots_.length;
        auto& [of, highest] = now_[server];
        if (of != slot) {
            close(highest);
            of = slot;
            highest = rate;
        }
        highest = std::max(highest, rate);
    }
    void end()
    {
        for (const auto& [slot, highest] : now_) close(highest);
    }

  private:
    void close(double highest)
    {
        if (!std::isfinite(highest) || !(loads_.peak > 0)) return;
        std::size_t at = 0;
        while (at + 1 < load_classes.size() && highest >= load_classes[at + 1] * loads_.peak) ++at;
        ++loads_.cells[at];
    }

    Grid slots_;
    ServerLoads& loads_;
    std::vector<std::pair<Nanoseconds, double>> now_;  // slot of each server, and its highest rate there
};

// Follows each server through time.
class Lags {
  public:
    Lags(const Choice& choice, ServerLoads& loads)
        : choice_(choice), loads_(loads), open_(loads.servers.size())
    {}

    // What all did in one bin.
    struct Others {
        std::size_t known = 0, reached = 0;
        double sum = 0;
    };
    double limit() const { return choice_.lag_below * loads_.peak; }

    void add(std::size_t server, Nanoseconds begin, Nanoseconds length, double rate, const Others& others)
    {
        Open& open = open_[server];
        if (!std::isfinite(rate)) {
            if (open.seen > 0 && begin + length - open.seen > choice_.lag_for) close(server);
            return;
        }
        open.seen = begin + length;
        if (rate >= limit()) {
            close(server);
            return;
        }
        // At least half of the others reach what it does not.
        if (others.known < least_servers || 2 * others.reached < others.known - 1) return;
        Lag& lag = open.lag;
        if (!(lag.served > 0)) lag = {server, begin, begin, 0, 0, 0};
        lag.end = begin + length;
        lag.served += seconds_in(length);
        if (rate < least_work * loads_.peak) open.without_work += seconds_in(length);
        lag.highest = std::max(lag.highest, rate);
        lag.others += (others.sum - rate) / static_cast<double>(others.known - 1) * seconds_in(length);
    }
    void end()
    {
        for (std::size_t server = 0; server < open_.size(); ++server) close(server);
    }

  private:
    struct Open {
        Lag lag;
        double without_work = 0;  // s
        Nanoseconds seen = 0;     // end of the last bin that is known
    };
    void close(std::size_t server)
    {
        Open& open = open_[server];
        if (open.lag.served > 0 && open.lag.served >= seconds_in(choice_.lag_for)) {
            open.lag.others /= open.lag.served;
            (2 * open.without_work > open.lag.served ? loads_.quiet : loads_.lagging).push_back(open.lag);
        }
        open = {};
    }

    const Choice& choice_;
    ServerLoads& loads_;
    std::vector<Open> open_;
};

}  // namespace

ServerLoads server_loads(const Pools& pools, const Pool& pool, const Load& load, const Choice& choice)
{
    ServerLoads loads;
    add_totals(pools, pool, loads);
    const Grid& grid = load.grid;
    if (grid.count == 0) return loads;
    const Nanoseconds cell = grid.end() - grid.begin < short_time ? grid.length : std::max(hour, grid.length);
    lay_out_map(grid, cell, loads);
    ServerRates first_time(pools, pool, grid);
    first_time.each_part([&](std::size_t first) { add_to_map(first_time, first, grid, loads); });
    for (const ServerLoad& server : loads.servers) loads.peak = std::max(loads.peak, server.peak);
    if (choice.server_peak) loads.peak = *choice.server_peak;
    if (!(loads.peak > 0)) return loads;

    Cells cells(slots_over(grid, cell), loads);
    Lags lags(choice, loads);
    ServerRates rates(pools, pool, grid);
    std::vector<Lags::Others> others;
    rates.each_part([&](std::size_t first) {
        others.assign(rates.bins(), {});
        for (std::size_t server = 0; server < loads.servers.size(); ++server)
            for (std::size_t at = 0; at < rates.bins(); ++at) {
                const double rate = rates.rate(server, at);
                if (!std::isfinite(rate)) continue;
                ++others[at].known;
                others[at].reached += rate >= lags.limit() ? 1 : 0;
                others[at].sum += rate;
            }
        for (std::size_t server = 0; server < loads.servers.size(); ++server)
            for (std::size_t at = 0; at < rates.bins(); ++at) {
                const Nanoseconds begin = grid.begin_of(first + at);
                const double rate = rates.rate(server, at);
                cells.add(server, begin, rate);
                lags.add(server, begin, grid.length, rate, others[at]);
            }
    });
    cells.end();
    lags.end();
    return loads;
}

}  // namespace fathom::series
