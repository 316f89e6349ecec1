// A target and the thread that probes it: whoever hangs, hangs alone.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "analyzer/timing/probe/probe_target.h"

namespace fathom {

class Lane {
  public:
    // What the thread hands over: rows, and a note or nothing. Called from the thread.
    using Tell = std::function<void(const std::vector<ProbeRow>& rows, const std::string& note)>;

    // Begins a thread, which prepares the target. The thread owns a share of the lane: where it never comes
    // back the lane stays for as long as the process.
    static std::shared_ptr<Lane> start(std::unique_ptr<ProbeTarget> target, Tell tell);

    const std::string& path() const { return target_->path(); }
    ProbeStep step() const { return target_->step(); }
    // What preparing it brought to light, empty: nothing wrong, or not known yet.
    std::string trouble() const;

    bool is_idle() const;
    bool is_over() const;
    // Has an idle lane probe.
    void probe();
    // Has it clean up and end once it is idle.
    void stop();

  private:
    Lane(std::unique_ptr<ProbeTarget> target, Tell tell) : target_(std::move(target)), tell_(std::move(tell))
    {}
    void run();

    std::unique_ptr<ProbeTarget> target_;
    Tell tell_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    bool busy_ = true, asked_ = false, stopping_ = false, over_ = false;
    std::string trouble_;
};

}  // namespace fathom
