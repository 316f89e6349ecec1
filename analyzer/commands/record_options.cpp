// Walks the table of options.
#include "analyzer/commands/record_options.h"

#include <cstdlib>
#include <fmt/format.h>
#include <optional>

#include "analyzer/commands/commands.h"
#include "logformat/excluded.h"
#include "logformat/rank_list.h"

namespace fathom {
namespace {

// A value, and how it was given: "--memory 12", "FATHOM_MEMORY=12".
struct Value {
    std::string text, written;
    bool on_command_line = false;
};

std::string joined(const std::vector<std::string>& values)
{
    std::string all;
    for (const std::string& value : values) all += (all.empty() ? "" : ":") + value;
    return all;
}

std::string long_name(const Option& option)
{
    const std::string_view flags = option.flags;
    return std::string(flags.substr(flags.rfind("--")));
}

std::optional<Value> value_of(const Option& option, const GivenOptions& all)
{
    if (const auto found = all.given.find(&option); found != all.given.end()) {
        const auto& [declared, values] = found->second;
        if (declared->count() > 0) {
            const std::string text = option.takes == Takes::nothing ? "1" : joined(values);
            return Value{text, fmt::format("{} {}", long_name(option), text), true};
        }
    }
    const char* const text = std::getenv(option.environment);
    if (text == nullptr || *text == '\0') return std::nullopt;
    return Value{text, fmt::format("{}={}", option.environment, text)};
}

void check(const Option& option, const Value& value)
{
    const auto complain = [&](std::string_view why) {
        throw BadUsage(fmt::format("record: {}: {}", value.written, why));
    };
    if (option.takes == Takes::nothing && !options::yes_or_no(value.text)) complain(options::not_yes_or_no);
    if (option.takes == Takes::kib && !options::kib(value.text)) complain(options::not_kib);
    if (option.takes == Takes::ranks && !RankList().take(value.text)) complain(options::not_ranks);
    if (option.takes == Takes::patterns)
        if (const PatternTrouble trouble = Patterns().take(value.text); !trouble.why.empty())
            complain(trouble.pattern == value.text ? trouble.why
                                                   : fmt::format("{}: {}", trouble.pattern, trouble.why));
}

std::string description(const Option& option)
{
    std::string text = option.meaning;
    if (*option.standard != '\0') text += fmt::format("; default: {}", option.standard);
    return fmt::format("{} [{}]", text, option.environment);
}

std::string listed(std::span<const std::string_view> paths)
{
    return fmt::format("{}", fmt::join(paths, " "));
}

}  // namespace

void declare_options(CLI::App& app, GivenOptions& all)
{
    for (const Option* const option : options::all) {
        if (*option->flags == '\0') continue;
        auto& [declared, values] = all.given[option];
        const std::string text = description(*option);
        if (option->takes == Takes::nothing) {
            declared = app.add_flag(option->flags, text);
        } else {
            declared = app.add_option(option->flags, values, text);
            declared->type_name(option->argument)->expected(1)->allow_extra_args(false);
            declared->multi_option_policy(option->takes == Takes::patterns ? CLI::MultiOptionPolicy::TakeAll
                                                                           : CLI::MultiOptionPolicy::Throw);
        }
    }
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
  yes and no. Sites that preload the library (LD_PRELOAD=libfathom.so) without
  `fathom record` can set {}, {} and {} too, and
)",
                    listed(excluded_folders), listed(message_memory), listed(included_folders),
                    options::memory.environment, options::exclude.environment, options::include.environment);
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
    for (const Option* const option : options::all) {
        const auto value = value_of(*option, given);
        if (!value) continue;
        check(*option, *value);
        if (option == &options::output) settled.output = value->text;
        if (option == &options::library) settled.library = value->text;
        if (option == &options::quiet) settled.quiet = *options::yes_or_no(value->text);
        if (option == &options::exclude) settled.exclude.take(value->text);
        if (option == &options::include) settled.include.take(value->text);
        // What the environment says the library finds there by itself.
        const bool of_library = option->takes == Takes::kib || option->takes == Takes::patterns ||
                                option->takes == Takes::ranks || option == &options::trace ||
                                option == &options::no_timings;
        if (of_library && value->on_command_line)
            settled.for_library.emplace_back(option->environment, value->text);
    }
    return settled;
}

}  // namespace fathom
