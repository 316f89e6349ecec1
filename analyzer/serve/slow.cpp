// Bounded: so many are kept, so many wait to be made, and so many threads wait for them.
#include "analyzer/serve/slow.h"

#include <algorithm>

#include "analyzer/serve/clock.h"

namespace fathom::serve {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::size_t most_kept = 128, most_wishes = 16;
constexpr std::size_t most_waiting[] = {2, 1};  // by reach
constexpr auto patience = 3s;
constexpr unsigned seconds_a_slow_question = 300;

bool is_fresh(const Made& made, std::chrono::seconds fresh)
{
    // What failed is tried again soon.
    const auto most = made.error ? std::chrono::nanoseconds(1s) : std::chrono::nanoseconds(fresh);
    return made.at > 0 && unix_now() - made.at < most.count();
}

}  // namespace

SlowDocuments::Lane::Lane(const std::string& url)
    : sessions(url, seconds_a_slow_question, Sessions::Questions::large)
{}

SlowDocuments::SlowDocuments(const std::string& url) : lanes_{Lane(url), Lane(url)}
{
    for (Lane& lane : lanes_) lane.thread = std::thread([this, &lane] { work(lane); });
}

SlowDocuments::~SlowDocuments()
{
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
    }
    changed_.notify_all();
    for (Lane& lane : lanes_) lane.thread.join();
}

void SlowDocuments::make_room()
{
    while (kept_.size() >= most_kept) {
        auto oldest = kept_.end();
        for (auto at = kept_.begin(); at != kept_.end(); ++at)
            if (!at->second.wanted && (oldest == kept_.end() || at->second.asked < oldest->second.asked))
                oldest = at;
        if (oldest == kept_.end()) return;
        kept_.erase(oldest);
    }
}

Made SlowDocuments::get(const std::string& key, std::chrono::seconds fresh, Reach reach, Make make)
{
    Lane& lane = lanes_[static_cast<std::size_t>(reach)];
    std::unique_lock lock(mutex_);
    if (!kept_.contains(key)) make_room();
    Kept& kept = kept_[key];
    kept.asked = Clock::now();
    if (is_fresh(kept.made, fresh)) return kept.made;
    const std::int64_t before = kept.made.at;
    const bool failed = kept.made.error != nullptr;
    if (!kept.wanted) {
        if (lane.wishes.size() >= most_wishes) return failed ? Made() : kept.made;
        kept.wanted = true;
        lane.wishes.push_back({key, std::move(make)});
        changed_.notify_all();
    }
    if (before > 0 && !failed) return kept.made;
    if (lane.waiting >= most_waiting[static_cast<std::size_t>(reach)]) return {};
    ++lane.waiting;
    changed_.wait_for(lock, patience, [&] {
        const auto at = kept_.find(key);
        return over_ || at == kept_.end() || at->second.made.at != before;
    });
    --lane.waiting;
    const auto at = kept_.find(key);
    return at != kept_.end() && at->second.made.at != before ? at->second.made : Made();
}

void SlowDocuments::work(Lane& lane)
{
    for (;;) {
        Wish wish;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return over_ || !lane.wishes.empty(); });
            if (over_) return;
            wish = std::move(lane.wishes.front());
            lane.wishes.pop_front();
        }
        Made made;
        try {
            made.document = std::make_shared<const report::Document>(
                lane.sessions.with([&](Sessions& sessions) { return wish.make(sessions); }));
        } catch (...) {
            made.error = std::current_exception();
        }
        made.at = unix_now();
        const std::lock_guard lock(mutex_);
        Kept& kept = kept_[wish.key];
        kept.made = std::move(made);
        kept.wanted = false;
        changed_.notify_all();
    }
}

}  // namespace fathom::serve
