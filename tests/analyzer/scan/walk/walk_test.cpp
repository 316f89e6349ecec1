// The walk by itself: what is handed over and what is pending are all there is, at any moment.
#include "analyzer/scan/walk/walk.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/scan/walk/limiter.h"
#include "tests/analyzer/temporary.h"

using namespace fathom::scan;
using fathom::testing::Temporary;

namespace {

// Folders of folders, some with many files, as the root has: gives how many names there are below.
std::size_t make_tree(const std::string& root, int folders, int files)
{
    std::size_t names = 0;
    for (; names < static_cast<std::size_t>(50 * files); ++names)
        std::ofstream(root + "/file" + std::to_string(names));
    for (int at = 0; at < folders; ++at) {
        const std::string folder = root + "/" + std::to_string(at % 7) + "/" + std::to_string(at);
        std::filesystem::create_directories(folder);
        names += 1 + (at < 7);
        for (int file = 0; file < (at == 0 ? 20 * files : files); ++file, ++names)
            std::ofstream(folder + "/" + std::to_string(file)).put('x');
    }
    return names;
}

// How often each path was handed over.
class Seen {
  public:
    void take(const Window& window)
    {
        const std::lock_guard lock(mutex_);
        for (const Entry& entry : window.entries)
            ++paths_[window.folder.path() + "/" + std::string(entry.name)];
        troubles_ += window.troubles.size();
    }
    bool each_once() const
    {
        return std::all_of(paths_.begin(), paths_.end(), [](const auto& path) { return path.second == 1; });
    }
    std::size_t size() const { return paths_.size(); }
    std::size_t troubles() const { return troubles_; }

  private:
    std::mutex mutex_;
    std::map<std::string, int> paths_;
    std::size_t troubles_ = 0;
};

}  // namespace

TEST_CASE("scan: a walk that is stopped again and again sees each name once")
{
    const Temporary folder;
    const std::size_t names = make_tree(folder.path(""), 60, 20);
    const WalkOptions options{{folder.path("")}, 4, 2, false, 20'000};
    Seen seen;
    std::vector<PendingFolder> pending;
    bool has_begun = false, is_done = false;
    int sittings = 0;
    unsigned longer = 0;  // ms: on a busy machine a short sitting may end before it has begun
    for (; !is_done && sittings < 400; ++sittings) {
        const std::size_t before = seen.size();
        Walk walk(options, [&](std::size_t, const Window& window) { seen.take(window); });
        if (has_begun)
            walk.go_on(pending);
        else
            walk.begin();
        has_begun = true;
        is_done = walk.wait(static_cast<unsigned>(sittings * 7 % 120) + longer);
        walk.stop();
        std::size_t handed_over = 0;
        pending = walk.pending([&] { handed_over = seen.size(); });
        is_done = pending.empty();
        longer = seen.size() > before ? 0 : longer + 20;
    }
    CHECK(is_done);
    CHECK(sittings > 3);
    CHECK(seen.size() == names + 1);
    CHECK(seen.each_once());
    CHECK(seen.troubles() == 0);
}

TEST_CASE("scan: a checkpoint in the midst of a walk has all that was not handed over")
{
    const Temporary folder;
    const std::size_t names = make_tree(folder.path(""), 40, 10);
    const WalkOptions options{{folder.path("")}, 4, 3, false, 10'000};
    std::atomic<bool> is_before{true};
    Seen kept;
    std::vector<PendingFolder> pending;
    {
        Walk walk(options, [&](std::size_t, const Window& window) {
            if (is_before) kept.take(window);
        });
        walk.begin();
        walk.wait(40);
        pending = walk.pending([&] { is_before = false; });
        CHECK(walk.wait(10'000));
        CHECK(walk.pending([] {}).empty());
    }
    CHECK(!pending.empty());
    Walk rest({options.roots, 4, 3, false, 0}, [&](std::size_t, const Window& window) { kept.take(window); });
    rest.go_on(pending);
    CHECK(rest.wait(10'000));
    CHECK(kept.size() == names + 1);
    CHECK(kept.each_once());
}

TEST_CASE("scan: a chain of folders of any length is walked and let go")
{
    const Temporary folder;
    constexpr std::size_t depth = 5000;
    int at = ::open(folder.path("").c_str(), O_RDONLY | O_DIRECTORY);
    for (std::size_t level = 0; level < depth; ++level) {
        REQUIRE(::mkdirat(at, "d", 0755) == 0);
        const int below = ::openat(at, "d", O_RDONLY | O_DIRECTORY);
        ::close(at);
        at = below;
    }
    ::close(at);
    std::atomic<std::size_t> entries{0}, deepest{0};
    {
        Walk walk({{folder.path("")}, 2, 1, false, 0}, [&](std::size_t, const Window& window) {
            entries += window.entries.size();
            deepest = std::max<std::size_t>(deepest, window.folder.depth());
        });
        walk.begin();
        CHECK(walk.wait(30'000));
    }
    CHECK(entries == depth + 1);
    CHECK(deepest == depth);
    // The library's own removal would recurse once a level: from above, in pieces.
    int top = ::open(folder.path("").c_str(), O_RDONLY | O_DIRECTORY);
    for (std::size_t level = 0; level < depth; ++level) {
        const int below = ::openat(top, "d/d", O_RDONLY | O_DIRECTORY);
        if (below >= 0) {
            ::renameat(below, "d", top, "next");
            ::close(below);
        }
        ::unlinkat(top, "d/d", AT_REMOVEDIR);
        ::unlinkat(top, "d", AT_REMOVEDIR);
        ::renameat(top, "next", top, "d");
    }
    ::close(top);
}

TEST_CASE("scan: the limiter spreads calls over time, and a wish to stop ends its sleep")
{
    std::atomic<bool> stop{false};
    const auto seconds = [](auto since) {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - since).count();
    };
    Limiter limiter(1000, stop);
    const auto begin = std::chrono::steady_clock::now();
    for (int call = 0; call < 101; ++call) CHECK(limiter.take());
    CHECK(seconds(begin) >= 0.098);
    Limiter slow(0.01, stop);
    CHECK(slow.take());
    stop = true;
    const auto asked = std::chrono::steady_clock::now();
    CHECK(!slow.take());
    CHECK(seconds(asked) < 10);
    Limiter none(0, stop);
    CHECK(!none.take());
    stop = false;
    CHECK(none.take());
}
