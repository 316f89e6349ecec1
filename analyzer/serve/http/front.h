// Connections of any number of clients in one thread, requests in a few: a client that is slow, or says half
// of what it wants, holds a place in a table and no thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "analyzer/serve/http/http.h"

namespace fathom::serve {

// All of it is bounded: what is beyond is refused, or waits in the kernel.
struct Limits {
    std::size_t connections = 512;               // the one that is idle longest makes room for a new one
    std::size_t waiting = 128;                   // requests that no thread has taken; more get 503
    std::size_t head = 16384;                    // bytes of a request
    std::size_t unsent = std::size_t{64} << 20;  // bytes of answers; above it no request is begun
    std::chrono::milliseconds to_ask{10'000};    // for the whole of a request
    std::chrono::milliseconds idle{30'000};      // between two requests
    std::chrono::milliseconds to_take{30'000};   // without taking anything of an answer
};

struct ListenAt {
    std::string host = "127.0.0.1";
    std::uint16_t port = 8080;  // 0: any
};
// "127.0.0.1:8080", "[::1]:0", "8080". Throws std::invalid_argument: what one can say.
ListenAt parse_listen(const std::string& said);

class Front {
  public:
    // Listens. Throws std::runtime_error where that address cannot be had. Each of the threads makes an
    // answer of its own.
    Front(const ListenAt& at, Limits limits, std::size_t threads, std::function<Http::Answer()> make_answer);
    ~Front();
    Front(const Front&) = delete;
    Front& operator=(const Front&) = delete;

    // "127.0.0.1:8080"
    const std::string& address() const;
    bool on_loopback() const;
    void run(const std::atomic<bool>& stop);

  private:
    struct Inside;
    std::unique_ptr<Inside> inside_;
};

}  // namespace fathom::serve
