// Sessions with the job database, of one thread.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <utility>

#include "analyzer/serve/scope.h"

namespace fathom::serve {

class Sessions {
  public:
    // `seconds`: how long a question may take. Questions of pages are many and small: the processes that
    // PostgreSQL would start to share one out take longer than it does. Of large ones that is true of most.
    enum class Questions : std::uint8_t { small, large };
    Sessions(const std::string& url, unsigned seconds, Questions questions = Questions::small);

    // For the questions of one viewer. Opens one where there is none. Throws DatabaseError.
    jobs::Database& of(const Viewer& viewer, Scope scope);

    // Whether the database answers now.
    bool can_open() const;

    // Does the work. A session that was open may have died since, with its server: then all are opened anew,
    // and the work is done again.
    template <class Work>
    auto with(Work work)
    {
        const bool were_open = any_open();
        try {
            return work(*this);
        } catch (const jobs::DatabaseError&) {
            close();
            if (!were_open) throw;
        }
        try {
            return work(*this);
        } catch (const jobs::DatabaseError&) {
            close();
            throw;
        }
    }

  private:
    struct Session {
        std::unique_ptr<jobs::Database> database;
        std::string viewer;  // as it was set
        bool with_projects = false;
    };
    bool any_open() const;
    void close();

    std::string url_;
    unsigned seconds_;
    Questions questions_;
    std::array<Session, 3> sessions_;
};

}  // namespace fathom::serve
