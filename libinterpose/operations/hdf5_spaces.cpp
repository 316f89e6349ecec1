// Follows HDF5's dataspaces and lists of properties of transfers.
#include "libinterpose/operations/hdf5_operations.h"

namespace fathom::hdf5 {
namespace {

using libraries::ids;

Known* space_of(const Loaded& library, Id space)
{
    Known* const known = ids.find(libraries::key_of(library.number, id_of(library, space)));
    return known == nullptr || known->subject != Subject::space ? nullptr : known;
}

void put_space(const Loaded& library, Id id, const Space& space)
{
    Known known;
    known.subject = Subject::space;
    known.space = space;
    ids.put(libraries::key_of(library.number, id_of(library, id)), known);
}

constexpr int set = 0;  // H5S_SELECT_SET

}  // namespace

bool OnSpace::begin(const Original& original)
{
    library = original.library;
    return library != nullptr && is_known(*library);
}

void MakeSpace::end(Id result) const
{
    if (id_of(*library, result) < 0) return;
    Space space;
    space.extent = extents_of(rank, extent);
    space.elements = 1;
    for (int at = 0; at < rank; ++at) space.elements *= extent[at];
    select_all_of(space);
    put_space(*library, result, space);
}

void SpaceOfDataset::end(Id result) const
{
    if (id_of(*library, result) < 0) return;
    const Known* const what = ids.find(libraries::key_of(library->number, id_of(*library, dataset)));
    if (what != nullptr && what->subject == Subject::dataset)
        put_space(*library, result, what->space);
    else
        ids.remove(libraries::key_of(library->number, id_of(*library, result)));
}

void CopySpace::end(Id result) const
{
    if (id_of(*library, result) < 0) return;
    if (const Known* const from = space_of(*library, space))
        put_space(*library, result, from->space);
    else
        ids.remove(libraries::key_of(library->number, id_of(*library, result)));
}

void SelectHyperslab::end(int result) const
{
    Known* const known = result < 0 ? nullptr : space_of(*library, space);
    if (known == nullptr) return;
    Space& of = known->space;
    const Selection before = of.selection;
    of.selection = Selection::unknown;
    const std::uint64_t rank = of.extent.rank;
    ++of.edits;
    if (operation != set || rank == 0 || count == nullptr) return;
    // In place, and only what such a selection has: this is done as often as data are moved.
    const std::uint64_t left_out = rank > Extents::most ? rank - Extents::most : 0;
    std::uint64_t points = 1, changed = of.shape.rank ^ rank;
    for (std::uint64_t at = 0; at < rank; ++at) {
        if (count[at] == ~Size{0} || (block != nullptr && block[at] == ~Size{0})) return;  // H5S_UNLIMITED
        const std::uint64_t selected = count[at] * (block == nullptr ? 1 : block[at]);
        points *= selected;
        if (at < left_out) continue;
        changed |= of.shape.extent[at - left_out] ^ selected;
        of.shape.extent[at - left_out] = selected;
    }
    if (of.shape.rank != rank)
        for (std::uint64_t at = rank; at < Extents::most; ++at) of.shape.extent[at] = 0;
    of.shape.rank = rank;
    changed |= of.selected ^ points;
    of.selected = points;
    of.selection = points == 0 ? Selection::nothing : Selection::regular;
    if (changed == 0 && of.selection == before) --of.edits;
}

void SelectPoints::end(int result) const
{
    Known* const known = result < 0 ? nullptr : space_of(*library, space);
    if (known == nullptr) return;
    ++known->space.edits;
    known->space.selection = operation == set ? Selection::points : Selection::unknown;
    known->space.selected = points;
    known->space.shape = {};
}

void SelectAll::end(int result) const
{
    Known* const known = result < 0 ? nullptr : space_of(*library, space);
    if (known == nullptr) return;
    ++known->space.edits;
    if (!nothing)
        return known->space.extent.rank == 0 && known->space.elements == 0
                   ? ids.remove(libraries::key_of(library->number, id_of(*library, space)))
                   : select_all_of(known->space);
    known->space.selection = Selection::nothing;
    known->space.selected = 0;
    known->space.shape = {};
}

void Forget::end(Id result) const
{
    if (result < 0 && !of_result) return;
    const Id gone = id_of(*library, of_result ? result : id);
    if (gone > 0) ids.remove(libraries::key_of(library->number, gone));
}

void HoldAgain::end(int result) const
{
    Known* const known = ids.find(libraries::key_of(library->number, id_of(*library, id)));
    if (known != nullptr && result > 0) known->references = static_cast<std::uint32_t>(result);
}

void SetCollective::end(int result) const
{
    if (result < 0) return;
    Known known;
    known.subject = Subject::transfer_list;
    known.collective = mode == 1;  // H5FD_MPIO_COLLECTIVE
    ids.put(libraries::key_of(library->number, id_of(*library, list)), known);
}

bool EndOfLibrary::begin(const Original& original)
{
    library = original.library;
    return library != nullptr && library->known.load(std::memory_order_acquire);
}

void EndOfLibrary::end(int) const
{
    ids.remove_all(library->number);
}

}  // namespace fathom::hdf5
