// Looks into spools and at the processes that use them.
#include "analyzer/record/leftovers.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/record/liveness.h"
#include "analyzer/record/node_folder.h"
#include "analyzer/record/part_file.h"
#include "analyzer/record/publish.h"
#include "analyzer/record/spool.h"

namespace fathom {
namespace {

namespace fs = std::filesystem;

// A recording that begins makes its folders before it can say that they are its own.
constexpr std::uint64_t beginning_ns = 10'000'000'000;

std::uint64_t number_of(std::string_view text)
{
    std::uint64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

std::uint64_t ns_of(const timespec& time)
{
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

// When a folder was last changed, and the memory or disk that its files take.
void add_sizes(Leftover& leftover, std::uint64_t& changed_ns)
{
    struct stat about {};
    if (stat(leftover.path.c_str(), &about) == 0) changed_ns = ns_of(about.st_mtim);
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(leftover.path, ignored))
        if (lstat(entry.path().c_str(), &about) == 0)
            leftover.bytes += static_cast<std::uint64_t>(about.st_blocks) * 512;
}

// The processes of a spool, and the use that they make of it.
Use look_at_processes(Leftover& spool)
{
    for (const std::string& path : folded_in(spool.path)) {
        try {
            spool.processes += read_own_log(path).rows<Process>().size();
        } catch (const LogError&) {
            // recover says what is wrong with it
        }
    }
    Use use = users_of({spool.path}, 0).empty() ? Use::left : Use::running;
    for (const std::string& path : parts_in(spool.path)) {
        const PartFile part = load_header(path);
        if (!part.good()) continue;
        ++spool.processes;
        if (use == Use::left && life_of(part) == Life::unsure) use = Use::unsure;
        if (spool.command.empty()) {
            const PartFile whole = load_part(path);
            if (whole.good()) spool.command = part_text(whole.bytes(), whole.header().command);
            spool.started_ns = part.header().start_ns;
        }
    }
    return use;
}

Leftover look_at_spool(const std::string& folder)
{
    Leftover spool;
    spool.path = folder;
    std::uint64_t changed_ns = 0;
    add_sizes(spool, changed_ns);
    const Kept kept = kept_in(folder);
    spool.job = kept.job();
    spool.command = kept.facts.fact("command").value_or("");
    spool.started_ns = number_of(kept.facts.fact("started_ns").value_or(""));
    spool.use = look_at_processes(spool);
    const Life owner = life_of_identity(kept.owner);
    const bool beginning =
        spool.processes == 0 && kept.owner.empty() && changed_ns + beginning_ns > unix_ns_now();
    if (!kept.owner.empty() && owner == Life::lives) spool.use = Use::recording;
    if (!kept.owner.empty() && owner == Life::unsure && spool.use == Use::left) spool.use = Use::unsure;
    if (beginning) spool.use = Use::recording;
    if (spool.started_ns == 0) spool.started_ns = changed_ns;
    return spool;
}

// A ranks folder is used by the recordings of its job, which have spools of their own.
Leftover look_at_ranks_folder(const std::string& folder, const std::vector<Leftover>& spools)
{
    Leftover ranks;
    ranks.path = folder;
    ranks.is_spool = false;
    const std::string key = key_of_ranks_folder(folder);
    ranks.job = key.substr(0, key.find('.'));
    std::uint64_t changed_ns = 0;
    add_sizes(ranks, changed_ns);
    ranks.started_ns = changed_ns;
    ranks.use = changed_ns + beginning_ns > unix_ns_now() ? Use::recording : Use::left;
    for (const Leftover& spool : spools)
        if (spool.job == ranks.job && spool.use != Use::left) ranks.use = spool.use;
    return ranks;
}

}  // namespace

void check_owner(const std::string& folder)
{
    struct stat about {};
    if (lstat(folder.c_str(), &about) != 0) return;  // who reads it says why it cannot
    if (S_ISLNK(about.st_mode))
        throw std::runtime_error(folder + ": this is a symbolic link; name the folder");
    if (about.st_uid != geteuid())
        throw std::runtime_error(
            fmt::format("{}: this is of another user (number {}), who alone should recover it: setpriv "
                        "--reuid={} --clear-groups fathom recover …",
                        folder, about.st_uid, about.st_uid));
    if ((about.st_mode & S_IWOTH) != 0)
        throw std::runtime_error(
            folder + ": all may write there, so that nobody knows who did: chmod o-w it if it is right");
}

Leftover look_at(const std::string& folder)
{
    const std::string path = (fs::path(folder) / "").lexically_normal().parent_path().string();
    if (!key_of_ranks_folder(path).empty())
        for (const Leftover& known : leftovers())
            if (known.path == path) return known;
    check_owner(path);
    Leftover spool = look_at_spool(path);
    if (spool.processes == 0 && spool.job.empty())
        throw std::runtime_error(
            folder + (fs::is_directory(fs::path(path) / "nodes")
                          ? ": no recorded process in this folder, which only joined the nodes of a job: "
                            "each node has its records in /dev/shm; run fathom recover there"
                          : ": no recorded process in this folder"));
    return spool;
}

std::vector<Leftover> leftovers()
{
    std::vector<Leftover> all;
    for (const std::string& spool : spools_left()) {
        try {
            all.push_back(look_at_spool(spool));
        } catch (const std::exception&) {
            // Its recording came to an end just now.
        }
    }
    const std::vector<Leftover> spools = all;
    for (const std::string& folder : ranks_folders_left()) {
        for (const std::string& spool : NodeFolder(folder).handed_over())
            for (Leftover& one : all)
                if (one.path == spool && one.use == Use::left) one.use = Use::recording;
        all.push_back(look_at_ranks_folder(folder, spools));
    }
    return all;
}

void remove(const Leftover& leftover)
{
    if (leftover.is_spool) {
        const Kept kept = kept_in(leftover.path);
        remove_logs_of_ranks(kept.folder, kept.job());
    }
    remove_spool(leftover.path);
}

}  // namespace fathom
