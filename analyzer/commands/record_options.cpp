// Walks the table of options.
#include "analyzer/commands/record_options.h"

#include <cstdlib>
#include <fmt/format.h>
#include <optional>

#include "analyzer/commands/commands.h"
#include "logformat/excluded.h"
#include "logformat/log/site.h"
#include "logformat/rank_list.h"

namespace fathom {
namespace {

// A value, and how it was given: "--memory 12", "FATHOM_MEMORY=12".
struct OptionValue {
    std::string text, written;
    bool on_command_line = false;
};

std::string long_name(const Option& option)
{
    const std::string_view flags = option.flags;
    return std::string(flags.substr(flags.rfind("--")));
}

std::optional<OptionValue> value_said(const Option& option, const GivenOptions& all)
{
    if (const auto found = all.given.find(&option); found != all.given.end()) {
        const auto& [given, said] = found->second;
        if (given) {
            const std::string text = option.takes == Takes::nothing ? "1" : said;
            return OptionValue{text, fmt::format("{} {}", long_name(option), text), true};
        }
    }
    const char* const text = std::getenv(option.environment);
    if (text == nullptr || *text == '\0') return std::nullopt;
    return OptionValue{text, fmt::format("{}={}", option.environment, text)};
}

void check_value(const Option& option, const OptionValue& value)
{
    const auto complain = [&](std::string_view why) {
        throw BadUsage(fmt::format("record: {}: {}", value.written, why));
    };
    if (option.takes == Takes::nothing && !options::yes_or_no(value.text)) complain(options::not_yes_or_no);
    if (option.takes == Takes::kib && !options::kib(value.text)) complain(options::not_kib);
    if (option.takes == Takes::mode && !options::mode_bits(value.text)) complain(options::not_mode);
    if (option.takes == Takes::ranks && !RankList().take(value.text)) complain(options::not_ranks);
    if (option.takes == Takes::patterns)
        if (const PatternTrouble trouble = Patterns().take(value.text); !trouble.why.empty())
            complain(trouble.pattern == value.text ? trouble.why
                                                   : fmt::format("{}: {}", trouble.pattern, trouble.why));
}

std::string sentence_of(const Option& option)
{
    std::string text = option.meaning;
    if (*option.standard != '\0') text += fmt::format("; default: {}", option.standard);
    return fmt::format("{} [{}]", text, option.environment);
}

std::string paths_listed(std::span<const std::string_view> paths)
{
    return fmt::format("{}", fmt::join(paths, " "));
}

}  // namespace

std::vector<CommandOption> record_options(GivenOptions& all)
{
    std::vector<CommandOption> rows;
    for (const Option* const option : options::all) {
        if (*option->flags == '\0') continue;
        auto& [given, text] = all.given[option];
        CommandOption row{option->flags, option->argument, sentence_of(*option), {}, {.given = &given}};
        if (option->takes != Takes::nothing) row.into = &text;
        if (option->takes == Takes::patterns) row.details.joined_by = ':';
        rows.push_back(std::move(row));
    }
    return rows;
}

std::string help_on_options()
{
    std::string text =
        fmt::format(R"(
FILES THAT ARE LEFT OUT
  The system's own, and the memory by which ranks pass messages:
    {}
    {}
  but not the rest of {}.
  --exclude names more, --include names those to record even so. Both take patterns,
  with colons between them, and may be repeated:
    /scratch/tmp     this path and all that lies below it; not /scratch/tmp2
    '/home/*/cache'  * stands for any letters of one component, ? for one letter
    '*.pyc'          without a slash: every file of that name, in any folder

ENVIRONMENT
  Each option can be given as the variable in its brackets instead; 1 and 0 stand for
  yes and no. A site may bound them in {}. Sites that preload the
  library (LD_PRELOAD=libfathom.so) without `fathom record` can set {},
  {} and {} too, and
)",
                    paths_listed(excluded_folders), paths_listed(message_memory),
                    paths_listed(included_folders), site_settings_path, options::memory.environment,
                    options::exclude.environment, options::include.environment);
    for (const Option* const option : options::all)
        if (*option->flags == '\0')
            text += fmt::format("    {:<20}  {}\n",
                                fmt::format("{}={}", option->environment,
                                            option->takes == Takes::nothing ? "1" : option->argument),
                                option->meaning);
    return text;
}

RecordOptions settle(const GivenOptions& given)
{
    RecordOptions settled;
    const SiteRules& site = the_site();
    settled.notes = site.troubles;
    bool asks_for_trace = false;
    for (const Option* const option : options::all) {
        const auto value = value_said(*option, given);
        if (!value) continue;
        check_value(*option, *value);
        if (option == &options::output) settled.output = value->text;
        if (option == &options::library) settled.library = value->text;
        if (option == &options::quiet) settled.quiet = *options::yes_or_no(value->text);
        if (option == &options::no_arguments) settled.arguments = !*options::yes_or_no(value->text);
        asks_for_trace |= option == &options::trace_files || option == &options::trace_ranks ||
                          (option == &options::trace && *options::yes_or_no(value->text));
        if (option == &options::mode) settled.mode = value->text;
        if (option == &options::exclude) settled.exclude.take(value->text);
        if (option == &options::include) settled.include.take(value->text);
        // What the environment says the library finds there by itself.
        const bool of_library = option->takes == Takes::kib || option->takes == Takes::patterns ||
                                option->takes == Takes::ranks || option->takes == Takes::mode ||
                                option == &options::trace || option == &options::no_timings ||
                                option == &options::no_arguments;
        if (of_library && value->on_command_line)
            settled.for_library.emplace_back(option->environment, value->text);
    }
    settled.arguments = settled.arguments && !site.settings.no_arguments;
    if (asks_for_trace && site.settings.no_traces)
        settled.notes.push_back(fmt::format("{} {}", site_settings_path, SiteSettings::allows_no_trace));
    return settled;
}

}  // namespace fathom
