// Draws values over time as an SVG: one line per series, axes from zero.
const WIDTH = 860;
const HEIGHT = 340;
const LEFT = 60;
const RIGHT = 150;
const TOP = 40;
const BOTTOM = 46;
const COLOURS = ['#1f6feb', '#d1242f', '#1a7f37', '#9a6700'];

/** `series`: `[{ name, points: [[x, y], …] }]`. */
export function plot({ title, xLabel, yLabel, series }) {
  const all = series.flatMap(({ points }) => points);
  const xMax = Math.max(1e-9, ...all.map(([x]) => x));
  const yMax = niceAbove(Math.max(1e-9, ...all.map(([, y]) => y)));
  const x = (value) => LEFT + (value / xMax) * (WIDTH - LEFT - RIGHT);
  const y = (value) => HEIGHT - BOTTOM - (value / yMax) * (HEIGHT - TOP - BOTTOM);
  const text = (at, up, words, extra = '') =>
    `<text x="${at.toFixed(1)}" y="${up.toFixed(1)}" ${extra}>${words}</text>`;
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  const grid = ticks.flatMap((part) => [
    `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(part * yMax).toFixed(1)}" y2="${y(part * yMax).toFixed(1)}" stroke="#d0d7de"/>`,
    text(LEFT - 8, y(part * yMax) + 4, Math.round(part * yMax), 'text-anchor="end"'),
    text(x(part * xMax), HEIGHT - BOTTOM + 18, Number((part * xMax).toPrecision(3)), 'text-anchor="middle"'),
  ]);
  const lines = series.flatMap(({ name, points }, at) => {
    const path = points.map(([px, py], index) => `${index === 0 ? 'M' : 'L'}${x(px).toFixed(1)} ${y(py).toFixed(1)}`);
    const colour = COLOURS[at % COLOURS.length];
    const last = points.at(-1)?.[1] ?? 0;
    return [
      `<path d="${path.join('')}" fill="none" stroke="${colour}" stroke-width="1.4"/>`,
      text(WIDTH - RIGHT + 8, TOP + 14 + at * 34, name, `fill="${colour}"`),
      text(WIDTH - RIGHT + 8, TOP + 30 + at * 34, `at the end ${Math.round(last)}`, `fill="${colour}"`),
    ];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="white"/>`,
    text(LEFT, 22, title, 'font-size="14"'),
    ...grid,
    text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, xLabel, 'text-anchor="middle"'),
    text(14, TOP - 8, yLabel),
    ...lines,
    '</svg>\n',
  ].join('\n');
}

function niceAbove(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 4, 5, 8, 10].map((step) => step * power).find((step) => step >= value);
}
