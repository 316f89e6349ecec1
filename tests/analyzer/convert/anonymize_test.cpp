// What could tell who ran a program, or where, is gone; what tells how it did its I/O stays.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <regex>
#include <set>

#include "analyzer/convert/anonymize_log.h"
#include "analyzer/convert/darshan_changes.h"
#include "logformat/blocks/columns.h"
#include "logformat/job_identity.h"
#include "logformat/log/trace.h"
#include "logformat/path_id.h"
#include "parsers/darshan/from_log.h"
#include "parsers/darshan/record_id.h"
#include "parsers/open.h"
#include "tests/analyzer/convert/inflated.h"
#include "tests/analyzer/synthetic.h"
#include "tests/logformat/trace_sample.h"
#include "tests/parsers/darshan_logs.h"
#include "tests/parsers/darshan_text.h"

using namespace fathom;
using namespace fathom::testing;
namespace fs = std::filesystem;

namespace {

Anonymizer with_key(const fs::path& folder, const std::string& key)
{
    const fs::path path = folder / ("key-" + key);
    std::ofstream(path) << key;
    return Anonymizer::with_key_of(path);
}

std::set<std::string> names_of(std::span<const HideRow> rows)
{
    std::set<std::string> names;
    for (const HideRow& row : rows) names.emplace(row.name);
    return names;
}

// Words between slashes and the like that cannot come about by chance: of five letters or more, one of them
// no hexadecimal digit.
void add_words(std::string_view text, std::set<std::string>& words)
{
    constexpr std::string_view marks = "/: =\t\n;,'\"";
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(marks), text.size());
        const std::string_view word = text.substr(0, end);
        if (word.size() >= 5 && word.find_first_not_of("0123456789abcdef") != std::string_view::npos)
            words.emplace(word);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

Log log_with_names()
{
    Synthetic made;
    made.ranks(2);
    Log log = std::move(made.log);
    for (Process& process : log.rows<Process>()) {
        process.host = log.keep("kronos17.example.org");
        process.program = log.keep("/home/alice/bin/simulator");
        process.command = log.keep("simulator --for alice");
    }
    log.rows<Mount>() = {{"/scratch", "lustre", "mds9:/bigfs"}, {"/", "ext4", "/dev/sdq7"}};
    for (const std::string_view path : {"/scratch/alice/secret.h5", "/scratch/alice/other", "<stdout>"}) {
        log.rows<FileName>().push_back({path_id(path), path[0] == '<' ? 2U : 0U, path, 0});
        PosixRecord& record = log.rows<PosixRecord>().emplace_back();
        record.file = path_id(path);
        record.process = 0;
        record.bytes_written = 4711;
        record.opens = 1;
    }
    const std::uint64_t file = path_id("/scratch/alice/secret.h5");
    log.rows<Layout>().push_back({file, 1 << 20, 2, 0, "0,1", "poolofalice"});
    log.rows<Hints>().push_back(
        {file, "cb_nodes=4;cb_config_list=kronos17:4", "cb_nodes=4;romio_cb_write=enable", 0});
    sample::TracedThread thread(log, 0, 0, 9);
    thread.add({file, Layer::posix, Kind::write, 0, 4096, job_start + 5, job_start + 9});
    thread.end();
    log.add_fact("command", "mpirun simulator --for alice");
    log.add_fact("folder", "/home/alice/runs");
    log.add_fact("host", "kronos17");
    log.add_fact("note", "for alice");
    identity::each_fact(
        [&](std::string_view fact) { log.add_fact(fact, fact == "batch_system" ? "PBS" : "bio of alice"); });
    log.add_fact("excluded", "/proc /home/alice/.cache");
    log.add_fact("of_a_later_version", "alice again");
    log.add_fact("started_ns", "1800000000");
    log.problems.push_back("/home/alice/x.fathom: damaged at byte 7");
    return log;
}

}  // namespace

TEST_CASE("every column of texts is decided on: it stays, or it is replaced")
{
    std::set<std::string> there;
    each_table([&](const auto& table, std::size_t) {
        using Row = typename std::remove_cvref_t<decltype(table)>::Row;
        const Columns columns = columns_of<Row>();
        for (const Column& column : columns.all())
            if (column.type == ScalarType::text && !(table.name == "job" && column.label() == "value"))
                there.insert(fmt::format("{}.{}", table.name, column.label()));
    });
    CHECK(there == names_of(hidden_columns()));
}

TEST_CASE("every fact that a log may have is decided on")
{
    const auto decided = names_of(hidden_facts());
    const std::regex named(R"re(add_fact\("(\w+)"|_fact = "(\w+)"|\{"\w+", "(\w+)"\}[,}])re");
    // Those that are settled before a log is written, and those that a reader takes for its own findings.
    const std::set<std::string> never_in_logs = {"death", "start", "problem", "missing_column"};
    std::size_t found = 0;
    for (const char* const folder : {"analyzer/record", "analyzer/commands", "parsers", "logformat"})
        for (const auto& entry : fs::recursive_directory_iterator(fs::path(FATHOM_SOURCES) / folder)) {
            if (!entry.is_regular_file() || entry.path().filename() == "from_log_job.cpp") continue;
            const std::string text = bytes_of(entry.path());
            for (std::sregex_iterator at(text.begin(), text.end(), named), end; at != end; ++at) {
                std::string name = (*at)[1].matched ? (*at)[1].str() : (*at)[2].str();
                if (name.empty() && entry.path().filename() == "import_job.cpp") name = (*at)[3].str();
                if (name.empty() || never_in_logs.contains(name)) continue;
                INFO(entry.path() << ": fact " << name);
                CHECK(decided.contains(name));
                ++found;
            }
        }
    CHECK(found > 20);
    identity::each_fact([&](std::string_view fact) { CHECK(decided.contains(std::string(fact))); });
}

TEST_CASE("nothing of a name is left in a log, and its numbers stay")
{
    const TemporaryFolder folder;
    Log log = log_with_names();
    const Anonymizer with = with_key(folder.path, "one");
    anonymize(log, with);
    const std::string path = folder.path / "anonymous.fathom";
    write_log(log, path);
    const Log back = read_log(path);
    std::string texts;
    each_table([&](const auto& table, std::size_t) {
        using Row = typename std::remove_cvref_t<decltype(table)>::Row;
        const Columns columns = columns_of<Row>();
        for (const Row& row : back.rows<Row>())
            for (const Column& column : columns.all())
                if (column.type == ScalarType::text) (texts += load<std::string_view>(&row, column)) += '\n';
    });
    for (const std::string& problem : back.problems) texts += problem + "\n";
    for (const char* const word : {"alice", "secret", "kronos", "simulator", "bigfs", "mds9", "sdq7",
                                   "scratch", "home", "other", ".cache", "example"}) {
        INFO(word);
        CHECK(texts.find(word) == std::string::npos);
    }
    CHECK(back.fact("started_ns") == "1800000000");
    CHECK(!back.fact("note"));
    CHECK(back.problems.size() == 1);
    CHECK(back.rows<Mount>()[0].type == "lustre");

    // The file still lies on its mount, beside its neighbour, and everything refers to it.
    const std::string folder_of_both = with.path("/scratch/alice");
    std::set<std::uint64_t> ids;
    std::size_t beside = 0;
    for (const FileName& name : back.rows<FileName>()) {
        CHECK(name.file == path_id(name.path));
        ids.insert(name.file);
        beside += name.path.starts_with(folder_of_both + "/");
        if (name.kind == 2) CHECK(name.path == "<stdout>");
    }
    CHECK(beside == 2);
    CHECK(folder_of_both.starts_with(std::string(back.rows<Mount>()[0].path) + "/"));
    CHECK(back.rows<Mount>()[1].path == "/");
    for (const PosixRecord& record : back.rows<PosixRecord>()) {
        CHECK(ids.contains(record.file));
        CHECK(record.bytes_written == 4711);
    }
    CHECK(ids.contains(back.rows<Layout>().at(0).file));
    CHECK(ids.contains(back.rows<Hints>().at(0).file));
    CHECK(back.rows<Hints>()[0].asked.starts_with("cb_nodes=4;cb_config_list="));
    CHECK(back.rows<Hints>()[0].used == "cb_nodes=4;romio_cb_write=enable");
    std::size_t operations = 0;
    for_each_traced(back, [&](const TraceEvent& event) {
        CHECK(event.file == path_id(with.path("/scratch/alice/secret.h5")));
        ++operations;
    });
    CHECK(operations == 1);
}

TEST_CASE("who ran it and which job it was is replaced, the same in logs of either form")
{
    const TemporaryFolder folder;
    Synthetic made;
    made.ranks(1);
    const std::pair<std::string, std::string> facts[] = {
        {"user", "1000"},      {"user_name", "alice"}, {"group", "100"},        {"group_name", "physics"},
        {"job_id", "4711"},    {"job_step", "0"},      {"array_job", "4700"},   {"array_index", "11"},
        {"job_name", "relax"}, {"account", "bio42"},   {"batch_system", "LSF"}, {"queue", "of_bio"},
        {"job_nodes", "2"}};
    for (const auto& [name, value] : facts) made.log.add_fact(name, value);
    const std::string named = folder.path / "named.darshan", hidden = folder.path / "hidden.darshan";
    darshan::write_darshan_log(made.log, named);
    const Anonymizer with = with_key(folder.path, "one");
    const std::optional<Anonymizer> some = with;
    darshan::copy_log(darshan::File(named), hidden, darshan_changes(some, {}, {}));
    anonymize(made.log, with);
    const Log& ours = made.log;
    const Log theirs = open_dataset(hidden);
    for (const auto& [name, value] : facts) {
        INFO(name);
        const bool stays =
            name == "job_step" || name == "array_index" || name == "batch_system" || name == "job_nodes";
        REQUIRE(ours.fact(name));
        CHECK((*ours.fact(name) == value) == stays);
        CHECK(ours.fact(name) == theirs.fact(name));
    }
}

TEST_CASE("one key gives one name, another key another")
{
    const TemporaryFolder folder;
    const std::string path = "/scratch/alice/out.h5:data";
    CHECK(with_key(folder.path, "one").path(path) == with_key(folder.path, "one").path(path));
    CHECK(with_key(folder.path, "one").path(path) != with_key(folder.path, "two").path(path));
    CHECK(Anonymizer::with_random_key().path(path) != Anonymizer::with_random_key().path(path));
    // An object is known to be in its file.
    const Anonymizer with = with_key(folder.path, "one");
    CHECK(with.path(path).starts_with(with.path("/scratch/alice/out.h5") + ":"));
    CHECK(with.path("/out.h5:<other datasets>") == with.path("/out.h5") + ":<other datasets>");
    CHECK(with.path("/out.h5:/group/u").find("group") == std::string::npos);
    CHECK(with.path("/") == "/");
    CHECK(with.path("<STDERR>") == "<STDERR>");
    CHECK(with.path("heatmap:POSIX") == "heatmap:POSIX");
    CHECK(with.path("<pipe>") == "<pipe>");
    CHECK(with.path("/scratch/<further files>") == with.path("/scratch") + "/<further files>");
    CHECK(with.hints("cb_nodes=4;romio_no_indep_rw=true;cb_config_list=kronos:4") ==
          "cb_nodes=4;romio_no_indep_rw=true;cb_config_list=" + with.word("kronos:4"));
    CHECK_THROWS_WITH(Anonymizer::with_key_of(folder.path / "none"), Catch::Contains("cannot read a key"));
}

TEMPLATE_TEST_CASE("nothing of a name is left in a Darshan log, whatever its modules", "", MadeLogs, RealLogs)
{
    const TemporaryFolder folder;
    const std::optional<Anonymizer> with = with_key(folder.path, "one");
    const std::optional<FileChoice> all;
    for (const std::string& path : darshan_logs<TestType>()) {
        INFO(path);
        const darshan::File from(path);
        std::set<std::string> words, stay = {"heatmap:POSIX", "heatmap:STDIO", "heatmap:MPIIO"};
        add_words(from.job().command, words);
        for (const auto& [id, name] : from.names())
            if (!name.starts_with("heatmap:") && !name.starts_with("<")) add_words(name, words);
        for (const auto& [key, value] : from.job().metadata) {
            add_words(key, stay);
            if (key == "lib_ver") add_words(value, stay);
            if (key == "h") {
                for (std::string_view rest = value; !rest.empty();) {
                    add_words(rest.substr(0, rest.find('=')), stay);
                    const std::size_t next = rest.find(';');
                    rest.remove_prefix(next == std::string_view::npos ? rest.size() : next + 1);
                }
            }
        }
        for (const darshan::MountEntry& mount : from.job().mounts) {
            add_words(mount.path, words);
            add_words(mount.type, stay);
        }
        for (const darshan::Module module : {darshan::Module::dxt_posix, darshan::Module::dxt_mpiio})
            from.each_dxt(
                module,
                [&](const darshan::DxtRecord& record) {
                    add_words(record.host, words);
                    return false;
                },
                [](const darshan::DxtSegment&) { return true; });
        const std::string to = folder.path / "anonymous.darshan";
        darshan::copy_log(from, to, darshan_changes(with, all, {}));
        const std::string bytes = inflated_regions(to);
        for (const std::string& word : words) {
            const auto holds = [&](const std::string& kept) { return kept.find(word) != std::string::npos; };
            if (std::any_of(stay.begin(), stay.end(), holds)) continue;
            INFO(word);
            CHECK(bytes.find(word) == std::string::npos);
        }
        const darshan::File copy(to);
        CHECK(copy.problems().empty());
        if (from.job().uid > 0) CHECK(copy.job().uid != from.job().uid);
        for (const auto& [id, name] : copy.names())
            if (!name.empty() && copy.names().size() == from.names().size())
                CHECK(id == darshan::record_id(name));
        // Records are those of before, with other ids.
        std::size_t before = 0, after = 0;
        for (const darshan::ModuleRegion& region : copy.modules()) {
            after += lines_of_module(copy, region.module).size();
            before += lines_of_module(from, region.module).size();
        }
        CHECK(before == after);
    }
}
