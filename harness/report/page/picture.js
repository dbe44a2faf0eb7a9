// SPDX-License-Identifier: Apache-2.0
// A figure of the page as an SVG file of its own, in both themes: its title, its legend, the
// drawing and the styles that it needs.
'use strict';

const PICTURE_STYLES = /^(:root \{|@media screen and \(prefers-color-scheme|svg)/;

function pictureStyles() {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  return rules.map((rule) => rule.cssText).filter((text) => PICTURE_STYLES.test(text)).join('\n');
}

// Marks and names in rows that are at most `width` wide, and how many rows they take.
function pictureLegend(names, width) {
  const parts = [];
  let x = 8, row = 0;
  names.forEach((name, i) => {
    const room = 30 + 6.8 * name.length;
    if (x > 8 && x + room > width) [x, row] = [8, row + 1];
    const y = 40 + 18 * row;
    parts.push(mark(x + 6, y - 4, i), svg('text.ink', {x: x + 17, y}, name));
    x += room;
  });
  return {parts, rows: names.length ? row + 1 : 0};
}

function pictureOf(drawing, title, names) {
  const {width, height} = drawing.viewBox.baseVal;
  const legend = pictureLegend(names.length < 2 ? [] : names, width), top = 34 + 18 * legend.rows;
  const moved = svg('g', {transform: `translate(0 ${top})`});
  moved.append(...[...drawing.childNodes].map((node) => node.cloneNode(true)));
  const style = svg('style', {});
  style.textContent = `${pictureStyles()}\n.ground { fill: var(--card); }`;
  const root = svg(
      'svg', {viewBox: `0 0 ${width} ${height + top}`, width, height: height + top, role: 'img'},
      style, svg('title', {}, title), svg('rect.ground', {width, height: height + top}),
      svg('text.ink', {x: 8, y: 18, 'font-weight': 600}, title), ...legend.parts, moved);
  return `${new XMLSerializer().serializeToString(root)}\n`;
}
