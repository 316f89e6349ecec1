// Room for very many values, in pages of 2 MiB where the system has them: the rows of a million files are a
// quarter of a million pages of 4 KiB otherwise, each of which is asked for, and looked up at each visit.
#pragma once

#include <cstddef>
#include <vector>

namespace fathom {

// Asks for large pages in the part of this memory that they can be in; small or refused: no harm.
void use_large_pages(void* memory, std::size_t bytes);

template <class Value>
void reserve_large(std::vector<Value>& values, std::size_t count)
{
    values.reserve(count);
    use_large_pages(values.data(), values.capacity() * sizeof(Value));
}

}  // namespace fathom
