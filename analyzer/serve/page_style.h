// What pages of the site have beyond the style of a report.
#pragma once

#include <string_view>

namespace fathom::serve {

inline constexpr std::string_view page_style = R"(
.site { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: .3rem 1.5rem;
        border-bottom: 1px solid var(--line); padding-bottom: .4rem; }
.site ul { margin: 0; padding: 0; border: 0; }
.site a[aria-current], .tabs a[aria-current] { color: var(--ink); font-weight: 600; text-decoration: none; }
.site .who { color: var(--muted); font-size: .9rem; }
.bar { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: .4rem 1.5rem;
       margin: .6rem 0 0; font-size: .9rem; }
.bar p { margin: 0; max-width: none; }
.bar a { margin-right: .8rem; }
.span { display: flex; flex-wrap: wrap; gap: .3rem .5rem; align-items: center; margin-left: auto; }
.span input { width: 11rem; }
.quick a { margin: 0 .5rem 0 0; }
form { color: var(--ink); }
input, select, form button { font: inherit; font-size: .88rem; color: var(--ink); background: var(--paper);
  border: 1px solid var(--line); border-radius: 3px; padding: .15rem .4rem; max-width: 100%; }
form button { cursor: pointer; background: var(--band); }
input:focus-visible, select:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.filters { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: .4rem 1rem; margin: .6rem 0;
           background: var(--band); padding: .6rem .8rem; border-radius: 6px; }
.filters label { display: grid; gap: .1rem; font-size: .82rem; color: var(--muted); }
.filters div { align-self: end; }
.spots .band { fill: var(--accent); fill-opacity: .25; pointer-events: none; }
figure[data-began] svg.spots { cursor: crosshair; touch-action: pan-y; }
td a { min-width: 0; overflow-wrap: break-word; }
@media print { .site, .bar, .filters { display: none; } }
)";

}  // namespace fathom::serve
