// Writes rows from a thread of its own, so that a slow disk below the CSV delays no probe.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "analyzer/timing/probe/growing_csv.h"

namespace fathom {

class RowWriter {
  public:
    using Say = std::function<void(std::string_view)>;

    // Rows get onto the device every `sync_every` ns, 0: whenever the system likes. `say` is called once when
    // writing begins to fail; it is called from the thread.
    RowWriter(GrowingCsv& csv, std::uint64_t sync_every, Say say);
    ~RowWriter();
    RowWriter(const RowWriter&) = delete;
    RowWriter& operator=(const RowWriter&) = delete;

    void add(std::string lines);
    // Writes what is left; false where some of it could not be written.
    bool finish();
    // Whoever reads the rows has gone away (a pipe).
    bool is_closed() const;

  private:
    void run();

    GrowingCsv& csv_;
    std::uint64_t sync_every_;
    Say say_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::string waiting_;
    bool done_ = false, failing_ = false, closed_ = false;
    std::uint64_t dropped_ = 0;  // bytes for which there was no room while writing failed
    std::thread thread_;
};

}  // namespace fathom
