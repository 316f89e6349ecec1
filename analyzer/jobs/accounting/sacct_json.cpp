// Slurm 21.08 to 25.05 say the same in different forms: data_parser v0.0.37 to v0.0.43.
#include <fmt/format.h>

#include "analyzer/document/printable.h"
#include "analyzer/jobs/accounting/json.h"

namespace fathom::jobs {
namespace {

using nlohmann::json;

void set_times(const json& from, Listed& listed)
{
    const json& time = at(from, {"time"});
    listed.start = time_in(at(time, {"start"}));
    listed.end = time_in(at(time, {"end"}));
    if (const auto seconds = number_in(at(time, {"elapsed"})); seconds && *seconds < 0xfffffffe)
        listed.elapsed = static_cast<Number>(*seconds) * 1'000'000'000;
}

// Of {"type": "cpu", "count": 4} and its like.
Known allocated(const json& from, std::string_view type)
{
    const json& list = at(from, {"tres", "allocated"});
    if (!list.is_array()) return {};
    for (const json& one : list)
        if (text_in(at(one, {"type"})) == type) return count_in(at(one, {"count"}));
    return {};
}

Listed job_of(const json& from)
{
    Listed listed;
    const std::string id = text_in(at(from, {"job_id"}));
    if (id.empty()) throw Unusable("a job without a job_id");
    set_id(id, "", listed);
    if (!at(from, {"time"}).is_object())
        throw Unusable(
            fmt::format("job {} has no times: make the file with sacct --json (squeue and "
                        "scontrol list what waits and runs)",
                        id));
    // A job that is in no array has 0 here.
    if (const Known array = count_in(at(from, {"array", "job_id"}))) {
        const auto index = number_in(at(from, {"array", "task_id"}));
        if (index && *index < 0xfffffffe) {
            listed.array_job = fmt::format("{}", *array);
            listed.array_index = fmt::format("{}", *index);
        }
    }
    listed.name = text_in(at(from, {"name"}));
    listed.user = text_in(at(from, {"association", "user"}));
    if (listed.user.empty()) listed.user = text_in(at(from, {"user"}));
    listed.account = text_in(at(from, {"account"}));
    listed.queue = text_in(at(from, {"partition"}));
    listed.cluster = text_in(at(from, {"cluster"}));
    const json& state = at(from, {"state"});
    listed.state = state_of_words(text_in(state.is_object() ? at(state, {"current"}) : state));
    set_times(from, listed);
    listed.nodes = count_in(at(from, {"allocation_nodes"}));
    if (!listed.nodes) listed.nodes = allocated(from, "node");
    if (!listed.nodes && listed.start == listed.end) listed.start = 0;
    listed.cores = allocated(from, "cpu");
    return listed;
}

// "0", "batch": from "4711.batch", from {"job_id": 4711, "step_id": 0}, or as the oldest form has it.
std::string step_of(const json& from)
{
    const json& id = at(from, {"step", "id"});
    const std::string text = text_in(id.is_object() ? at(id, {"step_id"}) : id);
    return step_named(text.substr(text.rfind('.') + 1));
}

Listed step_of_job(const json& from, const Listed& job)
{
    Listed listed;
    listed.job = job.job;
    listed.array_job = job.array_job;
    listed.array_index = job.array_index;
    listed.cluster = job.cluster;
    listed.step = step_of(from);
    if (listed.step.empty()) throw Unusable(fmt::format("a step of job {} without an id", job.job));
    listed.name = text_in(at(from, {"step", "name"}));
    const json& state = at(from, {"state"});
    listed.state = state_of_words(text_in(state.is_object() ? at(state, {"current"}) : state));
    set_times(from, listed);
    listed.nodes = count_in(at(from, {"nodes", "count"}));
    listed.tasks = count_in(at(from, {"tasks", "count"}));
    return listed;
}

void take_job(const json& from, const Reading& reading)
{
    Listed job = job_of(from);
    std::vector<Listed> all;
    std::string trouble;
    if (const json& steps = at(from, {"steps"}); steps.is_array())
        for (const json& step : steps) {
            try {
                all.push_back(step_of_job(step, job));
            } catch (const Unusable& why) {
                trouble = why.what();
            }
        }
    give(std::move(job), reading);
    for (Listed& step : all) give(std::move(step), reading);
    if (!trouble.empty()) throw Unusable(trouble);
}

bool has(std::string_view text, std::string_view word)
{
    return text.find(word) != std::string_view::npos;
}

// What sacct prints instead of jobs, with status 0.
std::string error_in_words(const json& error)
{
    std::string words = text_in(at(error, {"description"}));
    if (words.empty()) words = text_in(at(error, {"error"}));
    const std::string place = text_in(at(error, {"source"}));
    const bool of_time = has(words, "time format");
    return fmt::format("sacct could not answer: {}{}{}", words.empty() ? "it does not say why" : words,
                       place.empty() ? "" : fmt::format(" ({})", place),
                       of_time ? "; run sacct --json without SLURM_TIME_FORMAT, its times are seconds" : "");
}

bool begins_object(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && text[first] == '{';
}

}  // namespace

// Some versions begin with what made the file, some with the first job.
bool is_sacct_json(std::string_view first_bytes)
{
    const bool by_slurm = has(first_bytes, "\"Slurm\"") || has(first_bytes, "\"slurm\"");
    return begins_object(first_bytes) &&
           ((has(first_bytes, "\"jobs\"") &&
             (by_slurm || has(first_bytes, "\"job_id\"") || has(first_bytes, "\"allocation_nodes\""))) ||
            (has(first_bytes, "\"errors\"") && by_slurm));
}

void read_sacct_json(const std::string& path, const Reading& reading)
{
    each_object(path, 2, reading, [&](const std::string& key, const json& object) {
        if (key == "jobs") take_job(object, reading);
        if (key == "errors") reading.complain("", error_in_words(object));
    });
}

bool is_pytokio_json(std::string_view first_bytes)
{
    return begins_object(first_bytes) && has(first_bytes, "\"jobidraw\"");
}

void read_pytokio_json(const std::string& path, const Reading& reading)
{
    each_object(path, 1, reading, [&](const std::string& key, const json& object) {
        SacctFields fields;
        fields.id = key;
        for (const auto& [name, value] : object.items())
            if (const auto set = SacctFields::setter(lower_case(name)); set != nullptr)
                set(fields, text_in(value));
        if (const json& nodes = at(object, {"nodelist"}); nodes.is_array() && !nodes.empty())
            fields.listed.nodes = static_cast<Number>(nodes.size());
        fields.finish(reading);
    });
}

}  // namespace fathom::jobs
