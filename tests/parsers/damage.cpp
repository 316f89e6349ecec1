// Damages logs and reads them: `damage [--cuts N] [--changes N] [--seed N] [--largest BYTES] LOG…` cuts
// each log off at N places and changes a byte of it at N places, one at a time. Whatever came of it, a reader
// must end soon, with an error that names the file or with what could be read, and within memory that the
// file's size bounds. A folder stands for the logs of Darshan in it that are no larger than asked for.
// Exit status 77: there are none.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "analyzer/dump/darshan_text.h"
#include "logformat/log/trace.h"
#include "parsers/darshan/dataset.h"
#include "parsers/open.h"

namespace {

using namespace fathom;

// docs/DARSHAN.md: what a log may take of memory.
constexpr double most_seconds = 20, factor = 1500, base_mib = 250;

struct Count {
    std::size_t whole = 0, partial = 0, refused = 0;
};

std::vector<char> content_of(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// Reads all that there is in every way that a command does. Returns how it ended; false where an error does
// not name the file.
bool read_all(const std::string& path, bool of_darshan, Count& count)
{
    try {
        if (of_darshan) {
            const auto drop = [](std::string_view) { return true; };
            const darshan::File file(path);
            static_cast<void>(dump_darshan_text(file, drop));
            static_cast<void>(dump_darshan_dxt_text(file, drop));
        }
        const Log log = open_dataset(path);
        if (has_trace(log)) static_cast<void>(for_each_traced(log, [](const TraceEvent&) {}));
        ++(log.problems.empty() ? count.whole : count.partial);
    } catch (const LogError& error) {
        ++count.refused;
        return std::string_view(error.what()).find(path) != std::string_view::npos;
    }
    return true;
}

// Under AddressSanitizer memory that was let go of stays for a while.
#ifdef __SANITIZE_ADDRESS__
constexpr bool memory_is_ours = false;
#else
constexpr bool memory_is_ours = true;
#endif

// The peak of memory since it was last forgotten.
void forget_peak()
{
    std::ofstream("/proc/self/clear_refs") << "5";
}
double peak_mib()
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:")) return std::atof(line.c_str() + 6) / 1024;
    return 0;
}

class Damage {
  public:
    explicit Damage(const std::string& path)
        : name_(path),
          content_(content_of(path)),
          of_darshan_(darshan::is_darshan_log({content_.data(), content_.size()}))
    {
        fd_ = memfd_create("log", 0);
        path_ = fmt::format("/proc/self/fd/{}", fd_);
    }
    ~Damage() { close(fd_); }
    Damage(const Damage&) = delete;
    Damage& operator=(const Damage&) = delete;

    bool cut(std::size_t bytes)
    {
        return try_it(fmt::format("cut off at byte {}", bytes), {content_.data(), bytes});
    }
    bool change(std::size_t at, char to)
    {
        const char was = std::exchange(content_[at], to);
        const bool fine = try_it(fmt::format("byte {} is {:#x}", at, static_cast<unsigned char>(to)),
                                 {content_.data(), content_.size()});
        content_[at] = was;
        return fine;
    }
    std::size_t size() const { return content_.size(); }
    const Count& count() const { return count_; }
    double longest() const { return longest_; }

  private:
    bool try_it(const std::string& what, std::string_view bytes)
    {
        if (ftruncate(fd_, 0) != 0 ||
            pwrite(fd_, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
            std::abort();
        forget_peak();
        const auto start = std::chrono::steady_clock::now();
        const bool named = read_all(path_, of_darshan_, count_);
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        longest_ = std::max(longest_, taken.count());
        const double room = base_mib + factor * static_cast<double>(content_.size()) / (1024 * 1024);
        const char* const wrong = !named                                ? "the error does not name the file"
                                  : taken.count() > most_seconds        ? "it took too long"
                                  : memory_is_ours && peak_mib() > room ? "it took too much memory"
                                                                        : nullptr;
        if (wrong != nullptr)
            std::printf("%s, %s: %s (%.1f s, %.0f MiB)\n", name_.c_str(), what.c_str(), wrong, taken.count(),
                        peak_mib());
        return wrong == nullptr;
    }

    std::string name_, path_;
    std::vector<char> content_;
    bool of_darshan_ = false;
    int fd_ = -1;
    Count count_;
    double longest_ = 0;
};

std::vector<std::string> logs_of(const std::string& path, std::uintmax_t largest)
{
    if (!std::filesystem::is_directory(path)) return {path};
    std::vector<std::string> logs;
    for (const auto& entry : std::filesystem::directory_iterator(path))
        if (entry.path().extension() == ".darshan" && entry.file_size() <= largest)
            logs.push_back(entry.path());
    std::sort(logs.begin(), logs.end());
    return logs;
}

}  // namespace

int main(int count, char** arguments)
{
    std::size_t cuts = 200, changes = 2000;
    std::uintmax_t largest = UINTMAX_MAX;
    unsigned long seed = 1;
    bool fine = true;
    int at = 1;
    for (; at + 1 < count && std::string_view(arguments[at]).starts_with("--"); at += 2) {
        const std::string_view option = arguments[at];
        const auto value = std::strtoul(arguments[at + 1], nullptr, 10);
        if (option == "--cuts")
            cuts = value;
        else if (option == "--changes")
            changes = value;
        else if (option == "--largest")
            largest = value;
        else
            seed = value;
    }
    std::vector<std::string> logs;
    for (; at < count; ++at)
        for (std::string& log : logs_of(arguments[at], largest)) logs.push_back(std::move(log));
    std::erase_if(logs, [](const std::string& log) { return !std::filesystem::exists(log); });
    if (logs.empty()) {
        std::printf("skipped: there are no logs to damage\n");
        return 77;
    }
    for (const std::string& log : logs) {
        Damage damage(log);
        std::mt19937_64 random(seed);
        for (std::size_t cut = 0; cut < cuts; ++cut) fine = damage.cut(damage.size() * cut / cuts) && fine;
        for (std::size_t change = 0; change < changes; ++change)
            fine = damage.change(random() % damage.size(), static_cast<char>(random())) && fine;
        std::printf("%s: %zu whole, %zu partial, %zu refused; longest %.3f s; %.0f MiB\n", log.c_str(),
                    damage.count().whole, damage.count().partial, damage.count().refused, damage.longest(),
                    peak_mib());
    }
    return fine ? 0 : 1;
}
