// The style sheet of the HTML report: light, dark and print.
#pragma once

#include <string_view>

namespace fathom::report {

inline constexpr std::string_view html_style = R"(
:root { --ink: #1a1f29; --muted: #5c6370; --line: #d6dae0; --band: #f4f5f7; --paper: #ffffff; --accent: #174a7d;
        --warn: #8a4b00; --warn-paper: #fff4e2; --good: #22703a; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ee; --muted: #a1a8b3; --line: #3a414d; --band: #1d222b; --paper: #14181f; --accent: #7db4ee;
          --warn: #ffc27a; --warn-paper: #35270f; --good: #7fce93; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem clamp(1rem, 3vw, 2.5rem) 4rem; max-width: 85rem; color: var(--ink);
       background: var(--paper); font: 15px/1.5 system-ui, "DejaVu Sans", "Noto Sans", sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: .5rem 0 .25rem; overflow-wrap: anywhere; }
header { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: end; gap: .3rem 1rem; }
header > div { flex: 1 1 20rem; min-width: 0; }
header p { margin: 0; color: var(--muted); max-width: none; }
.recorded { border: 1px solid var(--good); color: var(--good); border-radius: 99px; padding: .05rem .8rem;
            font-size: .85rem; }
header .recorded.warning { color: var(--warn); }
.verdict { font-size: 1.12rem; margin: .8rem 0; padding: .6rem 1rem; border-left: 4px solid var(--c6);
           background: var(--band); max-width: none; overflow-wrap: anywhere; }
.first .note { max-width: none; margin: .5rem 0; font-size: .9rem; }
.tiles { display: flex; flex-wrap: wrap; gap: .6rem; }
.tile { flex: 1 1 9rem; background: var(--band); border-radius: 6px; padding: .5rem .8rem; min-width: 0; }
.tile.wide { flex: 2.6 1 26rem; }
.seconds { font-weight: 600; }
.tile .value { font-weight: 600; font-size: 1.25rem; line-height: 1.3; }
.tile strong { display: block; font-size: .9rem; }
.tile span, .brief span { color: var(--muted); font-size: .85rem; }
h2.small { font-size: 1rem; margin: .9rem 0 .2rem; padding: 0; border: 0; }
.brief { list-style: none; margin: 0; padding: 0; }
.brief li { display: grid; grid-template-columns: 10rem 6rem 1fr 9.5rem; gap: .8rem; padding: .35rem 0;
            border-top: 1px solid var(--line); align-items: center; overflow-wrap: anywhere; }
.brief em { font-style: normal; font-size: .85rem; color: var(--muted); text-align: right; }
.part { height: .6rem; background: var(--line); border-radius: 3px; }
.part i { display: block; height: 100%; background: var(--c6); border-radius: 3px; }
.two { display: grid; grid-template-columns: 1.9fr 1fr; gap: 1.8rem; }
.two.alone { grid-template-columns: 1fr; }
.narrow { max-width: 30rem; }
.alone .narrow { max-width: 62rem; display: grid; grid-template-columns: 1fr 1fr; gap: 1.8rem; }
.drawing svg { display: block; width: 100%; height: auto; }
h2 { font-size: 1.15rem; margin: 2.25rem 0 .75rem; padding-bottom: .3rem; border-bottom: 1px solid var(--line); }
a { color: var(--accent); }
a:focus-visible, summary:focus-visible, .scroll:focus-visible, pre:focus-visible, button:focus-visible,
.spots:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--paper); padding: .25rem .5rem; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; margin: 1rem 0 0; padding: .5rem 0;
         border-block: 1px solid var(--line); font-size: .9rem; }
p { max-width: 46rem; overflow-wrap: anywhere; }
figcaption, h2, h3 { overflow-wrap: anywhere; }
dl { margin: .5rem 0 1rem; }
dl div { display: grid; grid-template-columns: minmax(9rem, 16rem) 1fr; gap: 0 1rem; padding: .18rem 0; }
dt { color: var(--muted); }
dd { margin: 0; overflow-wrap: anywhere; }
dd b { font-weight: 600; font-variant-numeric: tabular-nums; }
dd span { color: var(--muted); margin-left: .6rem; font-size: .9rem; }
.finding { border: 1px solid var(--line); border-left: 4px solid var(--accent); border-radius: 4px; margin: 1rem 0;
           padding: .2rem 1rem .5rem; }
.finding h3 { font-size: 1.02rem; line-height: 1.35; margin: .6rem 0 .35rem; overflow-wrap: anywhere; }
.finding p { margin: .4rem 0; overflow-wrap: anywhere; }
.badges span { display: inline-block; border: 1px solid var(--line); border-radius: 1rem; padding: .05rem .7rem;
               font-size: .88rem; color: var(--muted); }
.badges .cost { border-color: var(--accent); background: var(--accent); color: var(--paper); font-weight: 600; }
.copy { position: relative; }
pre { background: var(--band); border: 1px solid var(--line); border-radius: 4px; overflow-x: auto; margin: .4rem 0;
      padding: .5rem .7rem; font: .88rem/1.45 ui-monospace, "DejaVu Sans Mono", monospace; }
figure { margin: 1.25rem 0; }
figcaption { font-weight: 600; margin-bottom: .4rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .88rem; }
th, td { padding: .28rem .8rem .28rem .4rem; text-align: left; white-space: nowrap; vertical-align: top; }
th { color: var(--muted); font-weight: 600; border-bottom: 1px solid var(--line); }
tbody tr:nth-child(even) { background: var(--band); }
.number { text-align: right; font-variant-numeric: tabular-nums; }
td.words { white-space: normal; min-width: 12rem; }
td a { display: inline-block; white-space: normal; overflow-wrap: anywhere; min-width: 9rem; }
.path { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .95em; }
.remark { color: var(--muted); font-size: .85rem; margin: .35rem 0 0; }
.note { border-left: 3px solid var(--muted); padding: .4rem .8rem; background: var(--band); }
.warning { border-color: var(--warn); background: var(--warn-paper); color: var(--warn); overflow-wrap: anywhere; }
.chart { max-width: 46rem; }
.drawing { position: relative; }
.drawing .spots { position: absolute; inset: 0; height: 100%; }
.spots rect { fill: transparent; }
.spots .mark { fill: none; stroke: var(--accent); stroke-width: 1.2; pointer-events: none; }
.tip { position: absolute; z-index: 1; max-width: 20rem; padding: .15rem .5rem; border-radius: 3px; font-size: .82rem;
       background: var(--ink); color: var(--paper); pointer-events: none; }
.sort { all: unset; cursor: pointer; }
.sort::after { content: " ↕"; opacity: .35; }
[aria-sort=ascending] .sort::after { content: " ↑"; opacity: 1; }
[aria-sort=descending] .sort::after { content: " ↓"; opacity: 1; }
.copy button { position: absolute; top: .3rem; right: .3rem; font: inherit; font-size: .8rem; color: var(--ink);
               background: var(--paper); border: 1px solid var(--line); border-radius: 3px; cursor: pointer; }
details { font-size: .9rem; color: var(--muted); }
details table { color: var(--ink); }
summary { cursor: pointer; }
@media (max-width: 36rem) { dl div { grid-template-columns: 1fr; } }
@media (max-width: 55rem) {
  header > div, .tile.wide { flex-basis: 100%; }
  .narrow { max-width: 24rem; }
  .two, .alone .narrow { grid-template-columns: 1fr; gap: .5rem; }
  .brief li { grid-template-columns: 7rem 1fr; }
  .brief .part, .brief em { display: none; }
}
@media print {
  :root { --ink: #000; --muted: #444; --line: #bbb; --band: #f2f2f2; --paper: #fff; --accent: #000; --warn: #000;
          --warn-paper: #fff; --good: #000; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  nav, .skip, details, .tip, .copy button, .sort::after { display: none; }
  h2, figcaption { break-after: avoid; }
  h3 { break-after: avoid; }
  .first { break-after: page; }
  figure.chart, tr, .note, .finding, dl div { break-inside: avoid; }
  .finding { border-color: #000; }
  .badges .cost { background: none; color: #000; border-color: #000; }
  pre { white-space: pre-wrap; }
  thead { display: table-header-group; }
  .scroll { overflow: visible; }
  th, td { white-space: normal; }
}
)";

}  // namespace fathom::report
