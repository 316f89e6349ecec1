// From a request to its answer: who asks, which route, in which form, and what went wrong.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "analyzer/serve/routes.h"
#include "analyzer/serve/viewer.h"

namespace fathom::serve {

// What whoever runs the server is told: that the database went away, or came back, once each time; and each
// question that failed though it is there.
class DatabaseWatch {
  public:
    explicit DatabaseWatch(std::function<void(const std::string&)> say) : say_(std::move(say)) {}
    void failed(const std::string& why);
    void failed_question(const std::string& why);
    void worked();

  private:
    std::function<void(const std::string&)> say_;
    std::atomic<bool> away_{false};
};

// Of one thread.
class Answerer {
  public:
    Answerer(const std::string& url, Access& access, Shared& shared, DatabaseWatch& watch);

    // Never throws.
    Reply operator()(const Request& request);

  private:
    Reply answer(const Request& request);
    Reply answer(const Request& request, const Viewer& viewer);

    Sessions sessions_;
    Access& access_;
    Shared& shared_;
    DatabaseWatch& watch_;
};

}  // namespace fathom::serve
