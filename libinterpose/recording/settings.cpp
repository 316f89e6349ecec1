// Reads the environment, and what the site says.
#include "libinterpose/recording/settings.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

#include "libinterpose/system/own_memory.h"
#include "libinterpose/system/sys.h"
#include "logformat/job_identity.h"
#include "logformat/launchers.h"

// Where the kernel put the arguments: their number, they, a null, the environment. Of the dynamic linker.
extern "C" void* __libc_stack_end;

namespace fathom {
namespace {

enum class State { unread, reading, read };

constinit Settings the_settings;
// Where longer texts of it lie, one behind the other.
FATHOM_LARGE constinit char the_texts[Settings::most_text];
constinit std::atomic<State> state{State::unread};

// Of libc, or, while that has none, where the kernel put it: the functions of an executable's preinit array
// come first.
char** environment()
{
    if (environ != nullptr) return environ;
    auto* const start = static_cast<char**>(__libc_stack_end);
    return start + 1 + *reinterpret_cast<long*>(start) + 1;
}

// The variables among which all that are asked for are: dozens are, and few of those are there.
class Environment {
  public:
    // They begin with one of these letters.
    static constexpr bool may_be_asked_for(char first)
    {
        return first == 'F' || first == 'S' || first == 'L' || first == 'P' || first == 'O' || first == 'M';
    }

    // Several threads at once find the same.
    void read()
    {
        std::size_t count = 0;
        for (char** at = environment(); *at != nullptr; ++at)
            if (may_be_asked_for(**at) && ++count < most)
                found_[count - 1].store(*at, std::memory_order_relaxed);
        if (count < most) found_[count].store(nullptr, std::memory_order_relaxed);
        known_.store(count < most, std::memory_order_release);
    }
    const char* value(const char* name) const
    {
        return may_be_asked_for(*name) && known_.load(std::memory_order_acquire) ? find(name, found_)
                                                                                 : find(name, environment());
    }

  private:
    static constexpr std::size_t most = 64;

    template <class Texts>
    static const char* find(const char* name, const Texts& texts)
    {
        const std::size_t length = std::strlen(name);
        for (std::size_t at = 0;; ++at) {
            const char* const text = texts[at];
            if (text == nullptr) return nullptr;
            if (text[0] == name[0] && text[1] == name[1] && std::strncmp(text, name, length) == 0 &&
                text[length] == '=')
                return text + length + 1;
        }
    }

    std::atomic<const char*> found_[most];
    std::atomic<bool> known_;
};
FATHOM_LARGE constinit Environment the_environment;

const char* variable(const char* name)
{
    return the_environment.value(name);
}

// Puts texts there. A second reading, even one at the same time, puts the same in the same places.
class Texts {
  public:
    // What does not fit is left out.
    void append(KeptText& to, std::string_view more)
    {
        char* const at = the_texts + used_;
        const std::size_t some = std::min({more.size(), Settings::most_path, sizeof the_texts - used_ - 1});
        std::memcpy(at, more.data(), some);
        at[some] = '\0';
        to = {to.empty() ? at : to.c_str(), to.view().size() + some};
        used_ += some;
    }
    void end() { used_ += used_ + 1 < sizeof the_texts; }

    void read(const char* name, KeptText& to)
    {
        to = {};
        if (const char* const value = variable(name)) append(to, value), end();
    }

  private:
    std::size_t used_ = 0;
};

// The value of a user's option; empty where it says nothing.
std::string_view value_of(const Option& option)
{
    const char* const value = variable(option.environment);
    return value == nullptr ? std::string_view{} : std::string_view(value);
}

template <class... Words>
void add_note(Settings& to, Words... words)
{
    if (!to.notes.empty()) to.notes << "; ";
    (to.notes << ... << words);
}

// `fathom record` refuses what is wrong. Without it nobody is there to be told but the reader of the log.
void note(Settings& to, const Option& option, std::string_view value, std::string_view why)
{
    add_note(to, option.environment, " is not obeyed: ", value, ": ", why);
}

void read_kib(Settings& to, const Option& option, std::size_t& bytes)
{
    const auto value = value_of(option);
    if (value.empty()) return;
    if (const auto kib = options::kib(value))
        bytes = *kib << 10;
    else
        note(to, option, value, options::not_kib);
}

bool read_yes(Settings& to, const Option& option)
{
    const auto value = value_of(option);
    if (value.empty()) return false;
    const auto yes = options::yes_or_no(value);
    if (!yes) note(to, option, value, options::not_yes_or_no);
    return yes.value_or(false);
}

void read_patterns(Settings& to, const Option& option, Patterns& patterns)
{
    const auto value = value_of(option);
    if (value.empty() && patterns.empty()) return;
    const PatternTrouble trouble = patterns.take(value);
    if (!trouble.why.empty()) note(to, option, trouble.pattern, trouble.why);
}

// Reads what the site says; where a file there is none of the site's, it says nothing.
void read_site(Settings& to)
{
    FATHOM_LARGE static constinit char text[SiteSettings::most_bytes];
    const int fd = sys::open(site_settings_path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) return;
    struct stat about {};
    const long size = sys::status(fd, about) == 0 ? sys::read(fd, text, sizeof text) : -1;
    sys::close(fd);
    if (size < 0 || !SiteSettings::is_of_site(about))
        return add_note(to, site_settings_path, " is not obeyed: ", SiteSettings::not_of_site);
    to.site.exclude.take({});  // it may be the second reading
    to.site.take({text, static_cast<std::size_t>(size)}, [&](std::string_view line, std::string_view why) {
        add_note(to, site_settings_path, ": ", line, ": ", why);
    });
}

void read_options(Settings& to)
{
    if (!to.notes.empty()) to.notes.resize(0);
    read_site(to);
    read_kib(to, options::memory, to.memory_bytes);
    read_kib(to, options::trace_memory, to.trace_bytes);
    to.trace = read_yes(to, options::trace);
    read_patterns(to, options::trace_files, to.trace_files);
    if (const auto value = value_of(options::trace_ranks); !value.empty() && !to.trace_ranks.take(value))
        note(to, options::trace_ranks, value, options::not_ranks);
    to.every_rank = read_yes(to, options::every_rank);
    to.arguments = !read_yes(to, options::no_arguments);
    to.timings = !read_yes(to, options::no_timings);
    read_patterns(to, options::exclude, to.exclude);
    read_patterns(to, options::include, to.include);
    const auto mode = value_of(options::mode);
    if (!mode.empty() && !options::mode_bits(mode)) note(to, options::mode, mode, options::not_mode);
    constexpr unsigned any_mode = 0777;
    if (!mode.empty() || to.site.mode != any_mode) to.log_mode = log_mode(mode, to.site);
}

// A site's settings hold whatever users say.
void obey_site(Settings& to)
{
    const SiteSettings& site = to.site;
    to.memory_bytes = std::min<std::size_t>(to.memory_bytes, site.memory_kib << 10);
    to.trace_bytes = std::min<std::size_t>(to.trace_bytes, site.trace_kib << 10);
    to.arguments = to.arguments && !site.no_arguments;
    to.timings = to.timings && !site.no_timings;
    if (!site.no_traces || !to.traces()) return;
    to.trace = false;
    to.trace_files.take({});
    to.trace_ranks = {};
    add_note(to, site_settings_path, " ", SiteSettings::allows_no_trace);
}

void read_identity(Texts& texts, KeptText& to)
{
    FixedText<24> user, group;
    if (const long number = sys::user_id(); number >= 0) user << static_cast<std::uint64_t>(number);
    if (const long number = sys::group_id(); number >= 0) group << static_cast<std::uint64_t>(number);
    to = {};
    identity::write_lines(user.view(), group.view(), variable,
                          [&](std::string_view text) { texts.append(to, text); });
    texts.end();
}

void read_environment(Settings& to)
{
    the_environment.read();
    Texts texts;
    texts.read(options::log_folder.environment, to.log_folder);
    texts.read(options::spool.environment, to.spool);
    read_options(to);
    obey_site(to);
    to.task = task_of([](const char* name) {
        const char* const value = variable(name);
        return value == nullptr ? "" : value;
    });
    texts.read("FATHOM_LOG", to.log);
    texts.read("FATHOM_JOB", to.job);
    texts.read("FATHOM_STREAMS", to.streams);
    texts.read("FATHOM_RANKS", to.ranks_folder);
    texts.read("FATHOM_LAUNCH", to.launch_folder);
    read_identity(texts, to.identity);  // the one that may be long
    to.collected = variable("FATHOM_COLLECT") != nullptr;
}

// Where another thread is at it, it is waited for, but not for ever: it may be this one, interrupted by a
// signal, or have been left behind by a fork. Reading it twice comes to the same.
bool is_read_meanwhile()
{
    constexpr int most_looks = 1000;
    State before = State::unread;
    if (state.compare_exchange_strong(before, State::reading, std::memory_order_acquire)) return false;
    for (int look = 0; look < most_looks && before != State::read; ++look) {
        sys::yield();
        before = state.load(std::memory_order_acquire);
    }
    return before == State::read;
}

}  // namespace

const Settings& settings()
{
    if (state.load(std::memory_order_acquire) == State::read || is_read_meanwhile()) return the_settings;
    read_environment(the_settings);
    state.store(State::read, std::memory_order_release);
    return the_settings;
}

}  // namespace fathom
