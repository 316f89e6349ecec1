// Puts operations, as they come one by one, into classes, in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "analyzer/timing/operations/timed_operations.h"

namespace fathom {

struct OneOperation {
    double start = 0, duration = 0;  // seconds
    std::uint64_t size = 0;
};

// The operations of one layer, kind and group, of whatever size.
class OperationStream {
  public:
    OperationStream(bool sized, bool timed) : sized_(sized), timed_(timed) {}

    void add(const OneOperation& one);
    std::size_t kept() const { return durations_.size(); }
    // Keeps every other one of the operations by itself, of those to come as well; from now on all are
    // counted in bins.
    void thin();

    // A class for each size where there are few, else one for each class of sizes. Empties the stream.
    std::vector<TimedClass> classes();

  private:
    // What is known of all operations of one size, or of one class of sizes.
    struct Sum {
        std::uint64_t operations = 0, least = ~std::uint64_t{0}, most = 0;
        double time = 0, longest = 0, bytes = 0;
        std::vector<std::uint64_t> bins;  // by number (duration_bins.h), once the stream has been thinned
    };

    std::uint64_t key_of(std::uint64_t size) const;
    Sum& sum_of(std::uint64_t size);
    static void count(Sum& sum, double duration);
    void give_up_sizes();

    bool sized_, timed_, by_class_ = false;
    std::map<std::uint64_t, Sum> sums_;
    Sum* last_ = nullptr;  // and the key that it has: most operations are of the size of the one before
    std::uint64_t last_key_ = 0;
    std::vector<double> durations_, starts_;
    std::vector<std::uint64_t> sizes_;
    std::uint64_t seen_ = 0, every_ = 1;
};

class OperationGatherer {
  public:
    explicit OperationGatherer(std::size_t most_kept) : most_kept_(most_kept) {}

    // The stream stays where it is.
    OperationStream& stream(const std::string& layer, const std::string& operation, const std::string& group,
                            bool sized, bool timed);
    void add(OperationStream& stream, const OneOperation& one);

    // Most time first; starts count from `begin`. Empties it.
    std::vector<TimedClass> classes(double begin);
    // The first start of all that were added.
    double first_start() const { return first_start_; }

  private:
    std::size_t most_kept_, kept_ = 0;
    double first_start_ = 0;
    bool any_ = false;
    std::map<std::tuple<std::string, std::string, std::string>, OperationStream> streams_;
};

}  // namespace fathom
