// Which paths calls failed on most: a thread's own count of them, and what many such counts come to.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>

#include "logformat/path_id.h"

namespace fathom {

// Of a log, and of whatever is on its way into one.
inline constexpr std::size_t most_failed_paths = 64;

// The text of a path as it is kept: of a long one its end, which then does not begin with a slash.
struct FailedPathText {
    static constexpr std::size_t most_bytes = 256;

    std::uint32_t cause = 0;  // errno of the last call
    std::uint32_t length = 0;
    char text[most_bytes];

    std::string_view path() const { return {text, std::min<std::size_t>(length, most_bytes)}; }
    void set(std::string_view path, std::uint32_t why)
    {
        cause = why;
        length = static_cast<std::uint32_t>(path.size());
        std::memcpy(text, path.data(), path.size());
    }
    static std::string_view kept_of(std::string_view path)
    {
        return path.substr(path.size() - std::min(path.size(), most_bytes));
    }
};

// The space-saving method, as of CommonSizes. Only one thread writes here, but a signal handler of its own
// may come in between, the process may end at any moment, and others may read meanwhile: an id that is not
// that of its text shows readers a slot that was being changed.
struct CommonFailures {
    static constexpr std::size_t slots = 16;

    std::array<std::uint64_t, slots> id{};  // 0: none
    std::array<std::uint64_t, slots> calls{}, error{};
    std::array<std::uint64_t, slots> slept{};  // ticks
    std::array<FailedPathText, slots> text{};

    static std::uint64_t id_of(std::string_view kept) { return path_id(kept) | 1; }

    // Returns the path's id.
    std::uint64_t count(std::string_view path, std::uint32_t why)
    {
        const std::string_view kept = FailedPathText::kept_of(path);
        const std::uint64_t wanted = id_of(kept);
        for (std::size_t at = 0; at < slots; ++at)
            if (id[at] == wanted) {
                ++calls[at];
                text[at].cause = why;
                return wanted;
            }
        take_over(kept, wanted, why);
        return wanted;
    }

    // A thread slept between two calls by this path.
    void sleep(std::uint64_t wanted, std::uint64_t ticks)
    {
        const auto at = std::find(id.begin(), id.end(), wanted);
        if (at != id.end()) slept[static_cast<std::size_t>(at - id.begin())] += ticks;
    }

    // Calls visit(path, calls, error, cause, slept) for each slot, with a copy of its path.
    template <class Visit>
    void each(Visit visit) const
    {
        for (std::size_t at = 0; at < slots; ++at) {
            const FailedPathText copy = text[at];
            if (calls[at] > error[at] && id[at] == id_of(copy.path()))
                visit(copy.path(), calls[at], error[at], copy.cause, slept[at]);
        }
    }

  private:
    [[gnu::noinline]] void take_over(std::string_view kept, std::uint64_t wanted, std::uint32_t why)
    {
        // Those that the thread slept for go last.
        const auto worth = [&](std::size_t at) { return std::pair(slept[at] > 0, calls[at]); };
        std::size_t rarest = 0;
        for (std::size_t at = 1; at < slots; ++at)
            if (worth(at) < worth(rarest)) rarest = at;
        std::atomic_ref(id[rarest]).store(0, std::memory_order_relaxed);
        std::atomic_signal_fence(std::memory_order_seq_cst);
        error[rarest] = calls[rarest];
        slept[rarest] = 0;
        ++calls[rarest];
        text[rarest].set(kept, why);
        std::atomic_ref(id[rarest]).store(wanted, std::memory_order_release);
    }
};

// What several counts come to: the paths that are certain to have most calls. What was left out on the way is
// missing in the calls of its path.
struct FailedPathSums {
    struct Sum {
        std::uint64_t calls = 0, error = 0, slept = 0;
        FailedPathText text;

        std::uint64_t certain() const { return calls - error; }
    };

    std::uint64_t size = 0;
    std::array<Sum, most_failed_paths> sum;

    void add(std::string_view path, std::uint64_t calls, std::uint64_t error, std::uint32_t cause,
             std::uint64_t slept = 0)
    {
        const std::string_view kept = FailedPathText::kept_of(path);
        std::size_t rarest = 0;
        for (std::size_t at = 0; at < size; ++at) {
            Sum& one = sum[at];
            if (one.text.path() == kept) {
                if (calls - error > one.certain()) one.text.cause = cause;
                one.calls += calls;
                one.error += error;
                one.slept += slept;
                return;
            }
            if (one.certain() < sum[rarest].certain()) rarest = at;
        }
        if (size < sum.size())
            rarest = static_cast<std::size_t>(size++);
        else if (calls - error <= sum[rarest].certain())
            return;
        sum[rarest].calls = calls;
        sum[rarest].error = error;
        sum[rarest].slept = slept;
        sum[rarest].text.set(kept, cause);
    }
    void sort()
    {
        std::sort(
            sum.begin(), sum.begin() + static_cast<std::ptrdiff_t>(size), [](const Sum& a, const Sum& b) {
                return a.certain() != b.certain() ? a.certain() > b.certain() : a.text.path() < b.text.path();
            });
    }
};

}  // namespace fathom
