// Two tables say what becomes of each text.
#include "analyzer/convert/anonymize_log.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <unordered_map>
#include <unordered_set>

#include "logformat/job_identity.h"
#include "logformat/log/trace.h"
#include "logformat/path_id.h"
#include "parsers/darshan/record_id.h"

namespace fathom {
namespace {

constexpr HideRow column_treatments[] = {
    {"job.name", Hide::stays},                 // what the values are is for the other table
    {"processes.host", Hide::word},            //
    {"processes.program", Hide::path},         //
    {"processes.command", Hide::word},         //
    {"processes.build", Hide::word},           //
    {"processes.libraries", Hide::stays},      // of a fixed list
    {"processes.fortran_source", Hide::path},  //
    {"names.path", Hide::path},                //
    {"mounts.path", Hide::path},               //
    {"mounts.type", Hide::stays},              // lustre, nfs: what a report needs
    {"mounts.source", Hide::word},             //
    {"layouts.servers", Hide::stays},          // numbers
    {"layouts.pool", Hide::word},              //
    {"failed_paths.path", Hide::path},         //
    {"hints.asked", Hide::hints},              //
    {"hints.used", Hide::hints},               //
    {"trace_shapes.code", Hide::stays},        // bytes of code: kinds, sizes, offsets
    {"trace_times.code", Hide::stays},         // the same: pauses and durations
    {"libraries.library", Hide::stays},        //
    {"libraries.counter", Hide::stays},        //
};

constexpr HideRow facts[] = {
    // Of the recorder.
    {"recorder", Hide::stays},
    {"command", Hide::word},
    {"folder", Hide::path},
    {"host", Hide::word},
    {"kernel", Hide::stays},
    {"job", Hide::word},
    {"started_ns", Hide::stays},
    {"ended_ns", Hide::stays},
    {"exit_status", Hide::stays},
    {"excluded", Hide::left_out},
    {"included", Hide::left_out},
    {"mpi", Hide::left_out},  // names who built the library, and where
    {"not_gathered", Hide::left_out},
    {"not_recorded", Hide::left_out},
    {"note", Hide::left_out},
    {"merged", Hide::left_out},
    {"spool_owner", Hide::word},
    {"ranks_log_folder", Hide::path},
    // Of who ran it, and which job it was (logformat/job_identity.h). A place in a job or array shows nobody
    // which one it was.
    {identity::user, Hide::number},
    {identity::user_name, Hide::word},
    {identity::group, Hide::number},
    {identity::group_name, Hide::word},
    {identity::batch_system, Hide::stays},
    {identity::job_id, Hide::number},
    {identity::job_step, Hide::count},
    {identity::array_job, Hide::number},
    {identity::array_index, Hide::count},
    {identity::job_name, Hide::word},
    {identity::account, Hide::word},
    {identity::queue, Hide::word},
    {identity::job_nodes, Hide::count},
    {identity::node_list, Hide::left_out},
    // Of logs that were made by Darshan.
    {"source", Hide::stays},
    {"darshan_log_format", Hide::stays},
    {"darshan_version", Hide::stays},
    {"mpi_hints", Hide::hints},
    {"fork_parent", Hide::number},
    {"metadata", Hide::left_out},
    {"modules", Hide::stays},
    {"not_decoded", Hide::stays},
    {"time_bins_from", Hide::stays},
    {"histograms_of", Hide::stays},
};

const HideRow* row_of(std::span<const HideRow> rows, std::string_view name)
{
    const auto found =
        std::find_if(rows.begin(), rows.end(), [&](const HideRow& row) { return row.name == name; });
    return found == rows.end() ? nullptr : &*found;
}

bool is_count(std::string_view text)
{
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string hidden(std::string_view text, Hide hide, const Anonymizer& with)
{
    switch (hide) {
        case Hide::stays:
            return std::string(text);
        case Hide::path:
            return with.path(text);
        case Hide::hints:
            return with.hints(text);
        case Hide::count:
            if (is_count(text) || text == identity::several) return std::string(text);
            break;
        case Hide::number: {
            std::int64_t number = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
            if (error == std::errc() && end == text.data() + text.size())
                return fmt::format("{}", with.positive_number(number));
            break;
        }
        case Hide::word:
        case Hide::left_out:
            break;
    }
    return with.word(text);
}

template <class Row>
concept OfFile = requires(Row& row)
{
    row.file;
};

// An id that follows from the name does so again; others are hashed.
class Ids {
  public:
    Ids(Log& log, const Anonymizer& with) : with_(with)
    {
        std::unordered_set<std::uint64_t> taken;
        for (const FileName& name : log.rows<FileName>()) {
            const std::string path = with.path(name.path);
            std::uint64_t id = with.number(name.file);
            if (name.file == path_id(name.path))
                id = path_id(path);
            else if (name.file == darshan::record_id(name.path))
                id = darshan::record_id(path);
            if (!taken.insert(id).second) id = with.number(name.file);
            ids_.emplace(name.file, id);
        }
    }
    std::uint64_t operator()(std::uint64_t file) const
    {
        const auto found = ids_.find(file);
        return found == ids_.end() ? with_.number(file) : found->second;
    }

  private:
    const Anonymizer& with_;
    std::unordered_map<std::uint64_t, std::uint64_t> ids_;
};

void change_ids(Log& log, const Anonymizer& with)
{
    const Ids ids(log, with);
    each_table([&](const auto& table, std::size_t) {
        using Row = typename std::remove_cvref_t<decltype(table)>::Row;
        if constexpr (OfFile<Row>)
            for (Row& row : log.rows<Row>()) row.file = ids(row.file);
        if constexpr (std::is_same_v<Row, LibraryCounter> || std::is_same_v<Row, DatasetRecord>)
            for (Row& row : log.rows<Row>()) row.container = ids(row.container);
    });
    if (!log.trace_elsewhere) return;
    log.trace_elsewhere = [ids, with, from = log.trace_elsewhere](const TraceVisit& visit) {
        return from([&](const TraceEvent& event) {
            TraceEvent one = event;
            one.file = ids(event.file);
            return visit(one);
        });
    };
}

// Texts are the same in many rows.
class Texts {
  public:
    Texts(Log& log, const Anonymizer& with) : log_(log), with_(with) {}

    std::string_view operator()(std::string_view text, Hide hide)
    {
        if (hide == Hide::stays || text.empty()) return text;
        auto& known = known_[static_cast<std::size_t>(hide)];
        const auto [found, fresh] = known.try_emplace(text);
        if (fresh) found->second = log_.keep(hidden(text, hide, with_));
        return found->second;
    }

  private:
    Log& log_;
    const Anonymizer& with_;
    std::unordered_map<std::string_view, std::string_view> known_[6];
};

void change_texts(Log& log, Texts& texts)
{
    each_table([&](const auto& table, std::size_t) {
        using Row = typename std::remove_cvref_t<decltype(table)>::Row;
        if constexpr (!std::is_same_v<Row, Fact>)
            each_field<Row>([&](const auto& field) {
                using Value = std::remove_cvref_t<decltype(Row{}.*field.member)>;
                if constexpr (std::is_same_v<Value, std::string_view>) {
                    const HideRow* const row =
                        row_of(column_treatments, fmt::format("{}.{}", table.name, field.name));
                    const Hide hide = row == nullptr ? Hide::word : row->hide;
                    for (Row& one : log.rows<Row>()) one.*field.member = texts(one.*field.member, hide);
                }
            });
    });
}

void change_facts(Log& log, Texts& texts)
{
    std::vector<Fact> kept;
    for (Fact fact : log.rows<Fact>()) {
        const HideRow* const row = row_of(facts, fact.name);
        const Hide hide = row == nullptr ? Hide::word : row->hide;
        if (hide == Hide::left_out) continue;
        fact.value = texts(fact.value, hide);
        kept.push_back(fact);
    }
    log.rows<Fact>() = std::move(kept);
    // Sentences on damage name files.
    for (std::string& problem : log.problems)
        problem = "something is missing or damaged; the words are left out";
}

}  // namespace

std::span<const HideRow> hidden_columns()
{
    return column_treatments;
}

std::span<const HideRow> hidden_facts()
{
    return facts;
}

std::string hidden_fact(std::string_view name, std::string_view value, const Anonymizer& with)
{
    const HideRow* const row = row_of(facts, name);
    const Hide hide = row == nullptr ? Hide::word : row->hide;
    return hide == Hide::left_out ? "" : hidden(value, hide, with);
}

void anonymize(Log& log, const Anonymizer& with)
{
    change_ids(log, with);
    Texts texts(log, with);
    change_texts(log, texts);
    change_facts(log, texts);
    log.compact();
}

}  // namespace fathom
