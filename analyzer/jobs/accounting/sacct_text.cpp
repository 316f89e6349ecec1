// Lines with '|' between fields. sacct doubles or masks none: a name that has one makes a line of too many
// fields.
#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <vector>

#include "analyzer/document/printable.h"
#include "analyzer/jobs/accounting/sources.h"

namespace fathom::jobs {
namespace {

constexpr std::string_view what_to_ask =
    "sacct -P -o JobID,JobIDRaw,User,Account,Partition,Cluster,State,Start,End,ElapsedRaw,AllocNodes,"
    "AllocCPUS,NTasks,JobName";

void set_text(std::string& member, std::string_view text)
{
    member = stored_text(text);
}

// The requested nodes and those that were given; of both, the ones that are not 0.
void set_count(Known& member, std::string_view text)
{
    if (const Known count = unless_none(count_of(text))) member = count;
}

struct Field {
    std::string_view name;
    SacctFields::Set set;
};
using F = SacctFields;
using Text = std::string_view;

constexpr Field sacct_fields[] = {
    {"jobid", [](F& f, Text t) { f.id = t; }},
    {"jobidraw", [](F& f, Text t) { f.raw = t; }},
    {"jobname", [](F& f, Text t) { set_text(f.listed.name, t); }},
    {"user", [](F& f, Text t) { set_text(f.listed.user, t); }},
    {"account", [](F& f, Text t) { set_text(f.listed.account, t); }},
    {"partition", [](F& f, Text t) { set_text(f.listed.queue, t); }},
    {"cluster", [](F& f, Text t) { set_text(f.listed.cluster, t); }},
    {"state", [](F& f, Text t) { f.listed.state = state_of_words(t); }},
    {"start", [](F& f, Text t) { f.listed.start = time_of(t); }},
    {"end", [](F& f, Text t) { f.listed.end = time_of(t); }},
    {"elapsedraw",
     [](F& f, Text t) {
         if (const Known seconds = count_of(t))
             f.listed.elapsed = time_of_seconds(static_cast<std::uint64_t>(*seconds));
     }},
    {"nnodes", [](F& f, Text t) { set_count(f.listed.nodes, t); }},
    {"allocnodes",
     [](F& f, Text t) {
         f.no_nodes = t == "0";
         set_count(f.listed.nodes, t);
     }},
    {"ncpus", [](F& f, Text t) { set_count(f.listed.cores, t); }},
    {"alloccpus", [](F& f, Text t) { set_count(f.listed.cores, t); }},
    {"ntasks", [](F& f, Text t) { set_count(f.listed.tasks, t); }},
};

void split(std::string_view line, std::vector<std::string_view>& fields)
{
    fields.clear();
    for (;;) {
        const std::size_t end = line.find('|');
        fields.push_back(line.substr(0, end));
        if (end == std::string_view::npos) return;
        line.remove_prefix(end + 1);
    }
}

std::string_view without_return(std::string_view line)
{
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

bool looks_like_header(const std::vector<std::string_view>& fields)
{
    const auto known = std::count_if(fields.begin(), fields.end(), [](std::string_view field) {
        return SacctFields::setter(lower_case(field)) != nullptr;
    });
    return fields.size() > 1 && known > 1;
}

class SacctText {
  public:
    explicit SacctText(const Reading& reading) : reading_(reading) {}

    // False: there is no use in going on.
    bool take(std::string_view line)
    {
        ++line_;
        line = without_return(line);
        if (line.empty()) return true;
        split(line, fields_);
        // Several exports may stand one behind the other.
        if (columns_.empty() || (!digit(line[0]) && looks_like_header(fields_))) return take_header();
        if (fields_.size() == columns_.size() + 1 && fields_.back().empty()) fields_.pop_back();
        if (fields_.size() != columns_.size()) {
            complain(fmt::format("{} fields where the header has {}; {}", fields_.size(), columns_.size(),
                                 fields_.size() > columns_.size()
                                     ? "a name with a '|' in it does that: use sacct --json for such jobs"
                                     : "the line is not whole: make the file again"));
            return true;
        }
        SacctFields row;
        try {
            for (std::size_t at = 0; at < columns_.size(); ++at)
                if (columns_[at] != nullptr) columns_[at](row, fields_[at]);
            row.finish(reading_);
        } catch (const Unusable& why) {
            complain(fmt::format("{}; the line is left out", why.what()));
        }
        return true;
    }

    bool has_columns() const { return !columns_.empty(); }

  private:
    static bool digit(char letter) { return letter >= '0' && letter <= '9'; }

    void complain(const std::string& what) const { reading_.complain(fmt::format("line {}", line_), what); }

    bool take_header()
    {
        if (fields_.back().empty()) fields_.pop_back();
        columns_.clear();
        std::vector<std::string> names;
        for (const std::string_view field : fields_) {
            names.push_back(lower_case(field));
            columns_.push_back(SacctFields::setter(names.back()));
        }
        const auto has = [&](std::string_view name) {
            return std::find(names.begin(), names.end(), name) != names.end();
        };
        std::string missing;
        if (!has("jobid") && !has("jobidraw"))
            missing = "JobID";
        else if (!has("start"))
            missing = "Start";
        else if (!has("end"))
            missing = "End";
        if (missing.empty()) return true;
        const bool headless = !fields_.empty() && !fields_[0].empty() && digit(fields_[0][0]);
        complain(headless ? "there is no line with the names of columns: make the file without --noheader"
                          : fmt::format("there is no column {}; ask for it: {}", missing, what_to_ask));
        columns_.clear();
        return false;
    }

    const Reading& reading_;
    std::vector<SacctFields::Set> columns_;  // nullptr: not used
    std::vector<std::string_view> fields_;
    std::uint64_t line_ = 0;
};

}  // namespace

std::string lower_case(std::string_view text)
{
    std::string lower(text);
    for (char& letter : lower)
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    return lower;
}

SacctFields::Set SacctFields::setter(std::string_view name)
{
    for (const Field& field : sacct_fields)
        if (field.name == name) return field.set;
    return nullptr;
}

void SacctFields::finish(const Reading& reading)
{
    // Older versions of Slurm give a job that was cancelled while it waited a start, but no nodes.
    if (no_nodes && !listed.nodes && listed.start == listed.end) listed.start = 0;
    set_id(id, raw, listed);
    give(std::move(listed), reading);
}

// Also one whose header lacks what is needed, or that has none: whoever reads it says so.
bool is_sacct_text(std::string_view first_bytes)
{
    // Logs of Darshan begin with "3.41", which might be a step.
    if (first_bytes.find('\0') != std::string_view::npos) return false;
    while (first_bytes.starts_with('\n') || first_bytes.starts_with('\r')) first_bytes.remove_prefix(1);
    const std::string_view line = without_return(first_bytes.substr(0, first_bytes.find('\n')));
    std::vector<std::string_view> fields;
    split(line, fields);
    if (looks_like_header(fields)) return true;
    Listed first;
    try {
        set_id(fields[0], "", first);
    } catch (const Unusable&) {
        return false;
    }
    return fields.size() > 3;
}

void read_sacct_text(const std::string& path, const Reading& reading)
{
    std::ifstream file(path);
    SacctText text(reading);
    std::uint64_t done = 0;
    for (std::string line; std::getline(file, line);) {
        done += line.size() + 1;
        if (!text.take(line)) return;
        if (!reading.go_on(done)) return;
    }
    if (file.bad()) reading.complain("", "cannot read all of it");
}

}  // namespace fathom::jobs
