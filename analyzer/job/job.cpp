// Sorts the processes of a log into ranks and helpers and gives each its totals.
#include "analyzer/job/job.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <unordered_map>

#include "analyzer/job/mpi_files.h"
#include "analyzer/job/source.h"

namespace fathom {
namespace {

std::uint64_t bytes_of(const Totals& totals, Direction direction)
{
    return direction == Direction::read ? totals.bytes_read : totals.bytes_written;
}

bool any_of(const Totals& totals)
{
    Totals work = totals;
    work.files = 0;  // a file of which nothing was asked is no work
    return any_counted(work);
}

bool any_of(const Member& member)
{
    for (const auto& work : member.work)
        if (std::any_of(work.begin(), work.end(), [](const Totals& totals) { return any_of(totals); }))
            return true;
    return false;
}

// One member a process number, with the totals that bear it; `together` gets those that bear none. A log that
// lost its process table still has totals.
std::vector<Member> members_of(const Log& log, Member& together)
{
    together.process.process = reduced;
    std::vector<Member> members;
    members.reserve(log.rows<Process>().size());
    std::unordered_map<std::int64_t, std::size_t> at;
    const auto member = [&](std::int64_t number) -> Member& {
        const auto [found, fresh] = at.try_emplace(number, members.size());
        if (fresh) members.emplace_back().process.process = number;
        return members[found->second];
    };
    for (const Process& process : log.rows<Process>()) member(process.process).process = process;
    for (const Totals& totals : log.rows<Totals>())
        if (totals.layer < layers && totals.scope < scopes) {
            Member& owner = totals.process == reduced ? together : member(totals.process);
            merge(owner.work[totals.layer][totals.scope], totals);
        }
    return members;
}

bool moved_data(const Member& member, Direction direction)
{
    return member.application_bytes(direction) > 0 || member.system_bytes(direction) > 0;
}

}  // namespace

Totals Member::on_files(Layer layer) const
{
    Totals sum = in(layer, Scope::direct);
    merge(sum, in(layer, Scope::beneath_mpiio));
    return sum;
}

TimeSplit Member::time() const
{
    TimeSplit split;
    for (const Layer layer : {Layer::mpiio, Layer::posix, Layer::stdio}) split.add(in(layer, Scope::direct));
    return split;
}

std::uint64_t Member::application_bytes(Direction direction) const
{
    std::uint64_t sum = 0;
    for (const Layer layer : {Layer::mpiio, Layer::posix, Layer::stdio})
        sum += bytes_of(in(layer, Scope::direct), direction);
    return sum;
}

std::uint64_t Member::system_bytes(Direction direction) const
{
    std::uint64_t sum = 0;
    for (const Layer layer : {Layer::posix, Layer::stdio})
        for (const Scope scope : {Scope::direct, Scope::beneath_mpiio})
            sum += bytes_of(in(layer, scope), direction);
    return sum;
}

Job::Job(const Log& from) : log(from)
{
    std::vector<Member> members = members_of(log, together);
    told_apart_ = !any_of(together);
    for (const Member& member : members) {
        mpi = mpi || member.process.rank >= 0;
        merge_value(start, member.process.start, Rule::earliest);
        merge_value(end, member.process.end, Rule::largest);
    }
    if (source_of(log).serial_is_rank_0 && members.size() == 1 && log.records<MpiioRecord>() == 0)
        mpi = false;
    sort_members(std::move(members));
    std::unordered_map<std::int64_t, bool> is_rank;
    for (const Member& member : ranks) is_rank[member.process.process] = true;
    records = records_where(log, [&](std::int64_t process) { return !mpi || is_rank.contains(process); });
    files = group_by_file(log, records);
    if (source_of(log).own) leave_out_files_of_mpi();
    count_members();
    layer_sums = sums_by_layer(records, files);
    if (!told_apart_) count_movers();
}

void Job::sort_members(std::vector<Member> members)
{
    std::set<std::string_view> seen;
    const auto first_helper =
        std::stable_partition(members.begin(), members.end(),
                              [&](const Member& member) { return !mpi || member.process.rank >= 0; });
    helpers.assign(first_helper, members.end());
    members.erase(first_helper, members.end());
    ranks = std::move(members);
    for (const Member& member : ranks) {
        hosts_known_ = hosts_known_ && !member.process.host.empty();
        if (!member.process.host.empty() && seen.insert(member.process.host).second)
            hosts.push_back(member.process.host);
    }
}

namespace {

// Calls take(number of the owner, number of what is taken from it) for all that is summed.
template <class Take>
void each_sum(Totals& owner, Totals& taken, Take take)
{
    each_field<Totals>([&]<class Value>(const Field<Totals, Value>& field) {
        if constexpr (std::is_same_v<Value, std::uint64_t>)
            if (field.rule == Rule::sum) take(owner.*field.member, taken.*field.member);
    });
}

void take_all(std::uint64_t& from, std::uint64_t& number)
{
    const std::uint64_t taken = std::min(from, number);
    from -= taken;
    number -= taken;
}

}  // namespace

// Of a record of several ranks that are separated otherwise, an equal part from each, and what one has not
// from the others.
void Job::take_from_totals(const RecordView& record, Scope scope)
{
    const auto totals_of = [&](Member& member) -> Totals& {
        return member.work[static_cast<std::size_t>(record.layer)][static_cast<std::size_t>(scope)];
    };
    Totals left;
    merge_same(left, record);
    left.files = 1;
    if (record.process != reduced) {
        if (const std::int64_t at = rank_index(record.process); at >= 0)
            each_sum(totals_of(ranks[static_cast<std::size_t>(at)]), left, take_all);
        return;
    }
    if (!told_apart_) return each_sum(totals_of(together), left, take_all);
    left.files = std::max<std::uint64_t>(record[&Sharing::processes], 1);
    for (std::size_t at = 0; at < ranks.size(); ++at)
        each_sum(totals_of(ranks[at]), left, [&](std::uint64_t& from, std::uint64_t& number) {
            std::uint64_t part = (number + ranks.size() - at - 1) / (ranks.size() - at);
            number -= part;
            take_all(from, part);
            number += part;
        });
    for (Member& member : ranks) each_sum(totals_of(member), left, take_all);
}

void Job::leave_out_files_of_mpi()
{
    const MpiFiles mpis(files);
    std::set<std::uint64_t> left_out;
    for (const FileUse& use : files) {
        if (!mpis.has(use)) continue;
        left_out.insert(use.file);
        if (use.kind == NameKind::file) ++of_mpi.files;
        of_mpi.bytes += use.system.bytes();
        of_mpi.time += use.system.time();
    }
    if (left_out.empty()) return;
    each_file([&](const FileUse& use, std::span<const RecordView> of_file) {
        if (!left_out.contains(use.file)) return;
        const bool streams = use.kind == NameKind::stream || use.kind == NameKind::device;
        for (const RecordView& record : of_file)
            take_from_totals(record, streams ? Scope::streams : Scope::direct);
    });
    std::erase_if(files, [&](const FileUse& use) { return left_out.contains(use.file); });
    std::erase_if(records, [&](const RecordView& record) { return left_out.contains(record.file); });
}

void Job::count_members()
{
    std::set<std::uint64_t> parents;
    for (const auto* const some : {&ranks, &helpers})
        for (const Member& member : *some) parents.insert(member.process.parent);
    for (const Member& member : ranks)
        for (const Direction direction : directions) {
            const auto at = static_cast<std::size_t>(direction);
            const bool moved = moved_data(member, direction);
            const bool moved_any =
                moved_data(member, Direction::read) || moved_data(member, Direction::write);
            const bool started_others = member.process.pid != 0 && parents.contains(member.process.pid);
            taking_part[at] += mpi || moved || (moved_any && !started_others);
            application_movers[at] += member.application_bytes(direction) > 0;
            system_movers[at] += member.system_bytes(direction) > 0;
        }
}

// Without the totals of all ranks: those that have any in totals of their own, that alone moved the data of a
// file, or that opened the file that most of them opened.
void Job::count_movers()
{
    for (const Direction direction : directions)
        for (const bool application : {true, false}) {
            const auto at = static_cast<std::size_t>(direction);
            std::set<std::int64_t> known;
            for (const Member& member : ranks)
                if (application ? member.application_bytes(direction) > 0
                                : member.system_bytes(direction) > 0)
                    known.insert(member.process.process);
            Movers most;
            for (const FileUse& use : files) {
                if (use.kind == NameKind::stream || use.kind == NameKind::device) continue;
                const FileView& view = application ? use.application() : use.system;
                const Movers movers = direction == Direction::read ? view.readers() : view.writers();
                if (movers.count == 1 && movers.one >= 0) known.insert(movers.one);
                if (movers.count > most.count || (movers.count == most.count && !movers.at_most))
                    most = movers;
            }
            const bool by_file = most.count > known.size();
            (application ? application_movers : system_movers)[at] = by_file ? most.count : known.size();
            (application ? application_movers_at_most : system_movers_at_most)[at] =
                by_file ? most.at_most : known.size() < ranks.size() && most.count > 1 && most.at_most;
        }
}

std::uint64_t Job::application_bytes(Direction direction) const
{
    std::uint64_t sum = 0;
    each_share([&](const Member& member) { sum += member.application_bytes(direction); });
    return sum;
}

std::int64_t Job::rank_index(std::int64_t process) const
{
    // MPI ranks come first and by number, so that a look at the place itself mostly does.
    const auto is = [&](const Member& member) { return member.process.process == process; };
    if (process < 0) return -1;
    const auto likely = static_cast<std::size_t>(process);
    if (likely < ranks.size() && is(ranks[likely])) return process;
    const auto found = std::find_if(ranks.begin(), ranks.end(), is);
    return found == ranks.end() ? -1 : found - ranks.begin();
}

const Member* Job::member_of(const RecordView& record) const
{
    const std::int64_t at = rank_index(record.process);
    return at < 0 ? nullptr : &ranks[static_cast<std::size_t>(at)];
}

std::string Job::rank_name(std::size_t rank_index) const
{
    if (rank_index >= ranks.size()) return "-";
    const Process& process = ranks[rank_index].process;
    return mpi ? fmt::format("rank {}", process.rank) : fmt::format("process {}", process.process);
}

std::string Job::process_name(std::int64_t process) const
{
    if (process < 0) return "-";
    const std::int64_t at = rank_index(process);
    return at >= 0 ? rank_name(static_cast<std::size_t>(at)) : fmt::format("process {}", process);
}

std::uint64_t Job::calls_missed() const
{
    return sum_of(&Process::missed);
}

std::uint64_t Job::sum_of(std::uint64_t Process::*number) const
{
    std::uint64_t sum = 0;
    for (const std::vector<Member>* const some : {&ranks, &helpers})
        for (const Member& member : *some) sum += member.process.*number;
    return sum;
}

bool Job::used(Layer layer) const
{
    bool any = false;
    each_share([&](const Member& member) {
        const auto& work = member.work[static_cast<std::size_t>(layer)];
        any =
            any || std::any_of(work.begin(), work.end(), [](const Totals& totals) { return any_of(totals); });
    });
    return any;
}

}  // namespace fathom
