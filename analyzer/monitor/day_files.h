// The folder that a monitor writes into: a file a day and host, the oldest removed first.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "logformat/series/monitor_file.h"

namespace fathom::monitor {

struct Limits {
    std::uint64_t days = 30;                       // files older than that are removed
    std::uint64_t bytes = std::uint64_t{1} << 30;  // of all files of this host
};

class DayFiles {
  public:
    // Nothing is written yet.
    DayFiles(std::string folder, series::Session session, Limits limits);
    ~DayFiles();
    DayFiles(const DayFiles&) = delete;
    DayFiles& operator=(const DayFiles&) = delete;

    // Writes a round; once it returns true, it is on the device. The first of a UTC day begins its file, and
    // what was the last one is in there too, so that nothing lies between two files. On a full disk, or any
    // other trouble, the round is missing, `trouble` has a sentence, and the next one is tried anew.
    bool write(series::Nanoseconds time, series::Nanoseconds uptime,
               std::span<const series::Counter> counters, std::span<const series::Count> readings,
               std::string& trouble);

    // Another monitor of this host writes into the folder: a sentence; else empty. To be called before all
    // else.
    std::string taken();

  private:
    bool open_day(std::int64_t day, std::string& trouble);
    bool append(std::string& trouble);
    void close_file();
    void remove_old();
    std::string name_of(std::int64_t day) const;

    std::string folder_;
    series::Session session_;
    Limits limits_;
    series::MonitorEncoder encoder_;
    std::string frames_;
    int fd_ = -1, lock_ = -1;
    std::int64_t day_ = 0;
    std::uint64_t good_bytes_ = 0;
};

}  // namespace fathom::monitor
