// Which hints programs gave MPI-IO (MPI_Info), and what the MPI library made of it.
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <string_view>

#include "analyzer/document/units.h"
#include "analyzer/sections/sections.h"

namespace fathom {
namespace {

using namespace report;

using HintList = std::map<std::string_view, std::string_view>;

constexpr std::size_t most_rows = 20;

HintList hints_in(std::string_view list)
{
    HintList all;
    while (!list.empty()) {
        const std::string_view hint = list.substr(0, list.find(';'));
        const std::size_t equals = hint.find('=');
        all.emplace(hint.substr(0, equals),
                    equals == hint.npos ? std::string_view() : hint.substr(equals + 1));
        list.remove_prefix(std::min(hint.size() + 1, list.size()));
    }
    return all;
}

// What became of a hint that was set: those that were not taken come first.
enum class Fate { not_taken, other_value, taken };
constexpr std::string_view fate_names[] = {"not in use", "another value", "in use"};

struct Hint {
    Fate fate;
    std::string_view name, asked, used;
    auto operator<=>(const Hint&) const = default;
};

struct Files {
    std::uint64_t number = 0;
    std::uint64_t example = 0;
};

// Of all files: what was set, what is in use without having been set, and what had no room.
struct AllHints {
    std::map<Hint, Files> asked;
    std::map<std::pair<std::string_view, std::string_view>, Files> own;
    std::uint64_t left_out = 0;
};

AllHints all_hints(const Job& job)
{
    AllHints all;
    const auto add = [](Files& files, std::uint64_t file) {
        if (files.number++ == 0) files.example = file;
    };
    for (const Hints& row : job.log.rows<Hints>()) {
        const HintList asked = hints_in(row.asked), used = hints_in(row.used);
        for (const auto& [name, value] : asked) {
            const auto found = used.find(name);
            if (found == used.end() && row.left_out > 0) continue;  // it may be among those without room
            if (found == used.end())
                add(all.asked[{Fate::not_taken, name, value, {}}], row.file);
            else
                add(all.asked[{found->second == value ? Fate::taken : Fate::other_value, name, value,
                               found->second}],
                    row.file);
        }
        for (const auto& [name, value] : used)
            if (!asked.contains(name) && row.left_out == 0) add(all.own[{name, value}], row.file);
        all.left_out += row.left_out;
    }
    return all;
}

Cell path_of(const Job& job, std::uint64_t file)
{
    for (const FileName& name : job.log.rows<FileName>())
        if (name.file == file) return path(std::string(name.path));
    return unknown(Measure::path);
}

std::string not_shown(std::size_t all)
{
    return all > most_rows ? fmt::format(" {} more are not shown: fathom dump --table hints has them.",
                                         format_count(all - most_rows))
                           : "";
}

DataTable asked_table(const Job& job, const AllHints& all)
{
    DataTable table{.id = "hints_set", .title = "Hints that the program set"};
    table.columns = {{"hint", "hint", Measure::text},    {"set", "set to", Measure::text},
                     {"state", "it is", Measure::text},  {"used", "value in use", Measure::text},
                     {"files", "files", Measure::count}, {"example", "such as", Measure::path}};
    for (const auto& [hint, files] : all.asked) {
        if (table.rows.size() == most_rows) break;
        table.rows.push_back({text(std::string(hint.name)), text(std::string(hint.asked)),
                              text(fate_names[static_cast<std::size_t>(hint.fate)]),
                              hint.fate == Fate::not_taken ? unknown() : text(std::string(hint.used)),
                              count(files.number), path_of(job, files.example)});
    }
    table.remark =
        "In use: what MPI_File_get_info returned after the program had set them. Libraries ignore hints that "
        "they "
        "do not know, and may round values." +
        not_shown(all.asked.size());
    return table;
}

DataTable own_table(const AllHints& all)
{
    DataTable table{.id = "hints_in_use", .title = "Other hints in use"};
    table.columns = {{"hint", "hint", Measure::text},
                     {"used", "value", Measure::text},
                     {"files", "files", Measure::count}};
    for (const auto& [hint, files] : all.own) {
        if (table.rows.size() == most_rows) break;
        table.rows.push_back(
            {text(std::string(hint.first)), text(std::string(hint.second)), count(files.number)});
    }
    table.remark = "Values that the MPI library chose, or was given otherwise (ROMIO_HINTS)." +
                   not_shown(all.own.size());
    return table;
}

}  // namespace

Blocks mpi_hints(const Job& job, const SectionChoice&)
{
    const AllHints all = all_hints(job);
    Blocks blocks;
    std::size_t not_taken = 0;
    for (const auto& [hint, files] : all.asked) not_taken += hint.fate == Fate::taken ? 0 : 1;
    if (all.asked.empty())
        blocks.push_back(Paragraph{"The program set no hints."});
    else
        blocks.push_back(asked_table(job, all));
    if (not_taken > 0)
        blocks.push_back(
            Note{Weight::information,
                 fmt::format("{} not in use as the program set them: they probably have no effect.",
                             counted(not_taken, "hint is", "hints are"))});
    if (!all.own.empty()) blocks.push_back(own_table(all));
    if (all.left_out > 0)
        blocks.push_back(
            Note{Weight::information, fmt::format("There was no room for at least {}.",
                                                  counted(all.left_out, "further hint", "further hints"))});
    return blocks;
}

}  // namespace fathom
