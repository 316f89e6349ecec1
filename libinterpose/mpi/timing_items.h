// Histograms of durations and the shapes of traces as items: what all processes of a job have in common. No
// MPI here.
#pragma once

#include <span>

#include "libinterpose/mpi/item_run.h"
#include "logformat/blocks/bytes.h"
#include "logformat/part/part.h"
#include "logformat/timing_rows.h"
#include "logformat/trace_rows.h"

namespace fathom {

// Appends an item for each class of operations, with its histogram; sorts the rows for that. The ids of these
// items are small numbers, so that all of them come to rank 0: merging them is little work, and a log of
// 65,536 ranks then has one block of them.
void append_histograms(std::span<OperationTimes> operations, std::span<DurationBin> durations, Bytes& items);

// Appends one item for each shape; sorts them for that. `items_of(id)` are the Bytes that it goes to.
template <class ItemsOf>
void append_shapes(std::span<TraceShape> shapes, ItemsOf items_of);

// One histogram of two of the same class.
void append_merged_histogram(const Run& a, const Run& b, Bytes& merged);

// Replaces operations, durations and trace_shapes by what is in these runs. Codes point into the runs.
void read_timings(RunView runs, PartRows& rows);

void append_shape(const TraceShape& shape, Bytes& items);
void sort_shapes(std::span<TraceShape> shapes);

template <class ItemsOf>
void append_shapes(std::span<TraceShape> shapes, ItemsOf items_of)
{
    sort_shapes(shapes);
    for (std::size_t at = 0; at < shapes.size(); ++at)
        if (at == 0 || shapes[at].shape != shapes[at - 1].shape)
            append_shape(shapes[at], items_of(shapes[at].shape));
}

}  // namespace fathom
