// How long at least one of several was inside calls, where a log has of each only how long it was.
//
// Source: ours. Within a window of length w, in which one was inside calls for t, a moment finds it there
// with the probability t / w. Taken to be independent of each other, at least one is with
//     1 - product over all of (1 - t / w)
// which is exact for one of them, and for those that fill the window.
#pragma once

namespace fathom {

// Of one window, one participant after the other. All in one unit of time.
class Coverage {
  public:
    // More than the window, of threads side by side, counts as all of it.
    void add(double time, double window);
    // Seconds, or whatever `window` is in, that at least one was inside calls; at least the longest of them.
    double covered(double window) const;

  private:
    double none_ = 1;     // share of the window in which nobody was
    double longest_ = 0;  // of one
};

}  // namespace fathom
