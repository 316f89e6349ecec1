// HTTP in memory: the text of a request in, the text of its answer out. cpp-httplib is known here alone.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "analyzer/serve/http/exchange.h"

namespace fathom::serve {

struct Answered {
    std::string text;
    bool close = false;  // the connection is to end behind it
};

class Http {
  public:
    using Answer = std::function<Reply(const Request&)>;

    // `answer` must not throw.
    explicit Http(Answer answer);
    ~Http();
    Http(const Http&) = delete;
    Http& operator=(const Http&) = delete;

    // `head`: a request's line and headers, with the empty line behind them. A body is not read: the
    // connection then ends.
    Answered reply_to(std::string_view head, const Peer& peer);

  private:
    struct Parser;
    std::unique_ptr<Parser> parser_;
};

}  // namespace fathom::serve
