// The script of the HTML report: sorts tables, shows values of charts, copies lines. All of the report shows
// without it.
#pragma once

#include <string_view>

namespace fathom::report {

inline constexpr std::string_view html_script = R"js(
'use strict';
(function () {
  // Whole numbers may be longer than a double is exact: equal ones are told apart by their digits.
  function compareNumbers(a, b) {
    return Number(a) - Number(b) || a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
  }

  function sortable(table) {
    const body = table.tBodies[0], rows = Array.from(body.rows);
    if (rows.length < 2) return;
    Array.from(table.tHead.rows[0].cells).forEach((heading, column) => {
      const numbers = heading.classList.contains('number'), button = document.createElement('button');
      button.type = 'button';
      button.className = 'sort';
      button.title = 'Sort by this column';
      button.append(...heading.childNodes);
      heading.append(button);
      const keyOf = row => {
        const cell = row.cells[column];
        return numbers ? cell.dataset.value : (cell.querySelector('[title]') || {}).title || cell.textContent;
      };
      button.addEventListener('click', () => {
        const before = heading.getAttribute('aria-sort');
        const falling = before ? before === 'ascending' : numbers;
        for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
        heading.setAttribute('aria-sort', falling ? 'descending' : 'ascending');
        const sorted = rows.slice().sort((one, two) => {
          const a = keyOf(one), b = keyOf(two);
          if (a === undefined || b === undefined) return (a === undefined) - (b === undefined);
          const order = numbers ? compareNumbers(a, b) : a.localeCompare(b, 'en', { numeric: true });
          return falling ? -order : order;
        });
        body.append(...sorted);
      });
    });
  }
  document.querySelectorAll('figure.table table').forEach(sortable);

  const tip = document.createElement('div');
  tip.className = 'tip';
  tip.hidden = true;
  tip.setAttribute('role', 'status');
  document.body.append(tip);

  // Points of interest of one drawing, as rows of cells; a chart has one row.
  function telling(overlay) {
    const columns = (overlay.dataset.columns || '').split('|');
    const from = Number(overlay.dataset.from), step = Number(overlay.dataset.step);
    const spots = Array.from(overlay.querySelectorAll('rect'), rect => {
      const title = rect.querySelector('title'), words = title.textContent;
      title.remove();
      const box = { x: Number(rect.getAttribute('x')), y: Number(rect.getAttribute('y')),
                    width: Number(rect.getAttribute('width')), height: Number(rect.getAttribute('height')) };
      return { rect, box, words, cells: rect.dataset.cells === undefined ? null : rect.dataset.cells.split('|') };
    });
    if (!spots.length) return;
    const map = spots[0].cells !== null;
    const mark = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
    mark.setAttribute('class', 'mark');
    overlay.append(mark);
    let row = 0, column = 0;

    const hide = () => {
      tip.hidden = true;
      mark.setAttribute('width', 0);
    };
    const show = () => {
      const spot = spots[map ? row : column], { x, y, width, height } = spot.box;
      const left = map ? Math.max(x, from + column * step) : x;
      const wide = map ? Math.min(x + width, from + (column + 1) * step) - left : width;
      const place = { x: left, y, width: Math.max(wide, 0), height };
      for (const name in place) mark.setAttribute(name, place[name]);
      tip.textContent = map ? spot.words.split(':')[0] + ', ' + columns[column] + ': ' + (spot.cells[column] || '0')
                            : spot.words;
      tip.hidden = false;
      const box = mark.getBoundingClientRect(), room = document.documentElement.clientWidth - tip.offsetWidth - 8;
      tip.style.left = Math.max(8, Math.min(box.left + box.width / 2, room)) + window.scrollX + 'px';
      tip.style.top = box.top + window.scrollY - tip.offsetHeight - 8 + 'px';
    };

    spots.forEach((spot, at) => spot.rect.addEventListener('pointermove', event => {
      if (map) {
        const matrix = overlay.getScreenCTM();
        row = at;
        column = Math.max(0, Math.min(columns.length - 1, Math.floor(((event.clientX - matrix.e) / matrix.a - from) / step)));
      } else {
        column = at;
      }
      show();
    }));
    overlay.addEventListener('pointerleave', hide);
    overlay.addEventListener('blur', hide);
    overlay.addEventListener('focus', show);
    overlay.addEventListener('keydown', event => {
      const last = map ? columns.length - 1 : spots.length - 1;
      const moves = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0],
                      Home: [0, -last], End: [0, last] };
      if (event.key === 'Escape') return hide();
      const move = moves[event.key];
      if (!move || (move[0] !== 0 && !map)) return;
      event.preventDefault();
      row = Math.max(0, Math.min(spots.length - 1, row + move[0]));
      column = Math.max(0, Math.min(last, column + move[1]));
      show();
    });
    overlay.setAttribute('tabindex', '0');
    overlay.setAttribute('role', 'application');
    overlay.setAttribute('aria-label', overlay.dataset.title + ': arrow keys tell the values');
    overlay.removeAttribute('aria-hidden');
  }
  document.querySelectorAll('svg.spots').forEach(telling);

  document.querySelectorAll('.copy').forEach(block => {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', () => {
      const code = block.querySelector('code'), range = document.createRange();
      range.selectNodeContents(code);
      const selection = window.getSelection();
      selection.removeAllRanges();
      selection.addRange(range);
      // Pages from a file may not use the newer way in every browser.
      const done = document.execCommand('copy');
      button.textContent = done ? 'Copied' : 'Press Ctrl+C';
    });
    block.append(button);
  });
})();
)js";

}  // namespace fathom::report
