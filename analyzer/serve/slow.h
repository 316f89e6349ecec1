// Documents that take long to make. One thread makes those of all jobs of a site, one after the other, and
// one those of some jobs, which nobody shall wait behind the others for; they are kept for a while, and say
// how old they are.
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "analyzer/document/document.h"
#include "analyzer/serve/sessions.h"

namespace fathom::serve {

// What was made, or why that could not be.
struct Made {
    std::shared_ptr<const report::Document> document;
    std::exception_ptr error;
    std::int64_t at = 0;  // ns of UNIX time
};

// What a document is made of, so that it takes tenths of a second or seconds.
enum class Reach : std::uint8_t { some_jobs, all_jobs };

class SlowDocuments {
  public:
    using Make = std::function<report::Document(Sessions&)>;

    explicit SlowDocuments(const std::string& url);
    ~SlowDocuments();
    SlowDocuments(const SlowDocuments&) = delete;
    SlowDocuments& operator=(const SlowDocuments&) = delete;

    // The document of this key, no older than `fresh`; an older one while a new one is being made. Waits for
    // it a little; nothing where it takes longer than that: it will be there later. `key` has all that it
    // depends on, the viewer among it.
    Made get(const std::string& key, std::chrono::seconds fresh, Reach reach, Make make);

  private:
    struct Kept {
        Made made;
        bool wanted = false;                          // it is being made, or will be
        std::chrono::steady_clock::time_point asked;  // last
    };
    struct Wish {
        std::string key;
        Make make;
    };
    // Of one reach.
    struct Lane {
        explicit Lane(const std::string& url);

        Sessions sessions;
        std::deque<Wish> wishes;
        std::size_t waiting = 0;
        std::thread thread{};
    };
    void work(Lane& lane);
    void make_room();

    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::string, Kept> kept_;
    bool over_ = false;
    std::array<Lane, 2> lanes_;
};

}  // namespace fathom::serve
