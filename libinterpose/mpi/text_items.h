// What is known of a file in words, on its way between ranks: how it is spread over servers, and its hints.
#pragma once

#include "libinterpose/mpi/item_run.h"
#include "logformat/blocks/bytes.h"
#include "logformat/rows.h"

namespace fathom {

// Each is appended after the file's name, wherever in the items that is.
void append_layout(const Layout& layout, Bytes& items);
void append_hints(const Hints& hints, Bytes& items);

// Texts point into the run.
Layout layout_of(const Run& at);
Hints hints_of(const Run& at);

}  // namespace fathom
