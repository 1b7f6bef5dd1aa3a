/** Draws ratios as an SVG chart: bars on a logarithmic scale from 1, whiskers at the quartiles, a mark at the target. */
export interface Bar {
  label: string;
  value: number;
  quartiles?: readonly [lower: number, upper: number];
  target?: number;
}

const WIDTH = 960;
const LEFT = 20;
const RIGHT = 70;
const ROW = 42;
const LABEL = 16;
const BAR = { top: 22, height: 14 };
const TOP = 50;
const TICKS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200];
const SMALLEST = 0.005;

const COLOURS = { met: "#2f7d4f", missed: "#b3402e", none: "#5a6b86", line: "#8a8f98", text: "#3c4043" };

export function drawChart(title: string, bars: readonly Bar[]): string {
  const values = bars.flatMap(({ value, quartiles = [], target = 1 }) => [value, ...quartiles, target]);
  const min = Math.min(0.8, ...values.map((value) => Math.max(value, SMALLEST))) * 0.9;
  const max = Math.max(1.5, ...values) * 1.1;
  const x = (value: number) => {
    const share = Math.log(Math.max(value, SMALLEST) / min) / Math.log(max / min);
    return LEFT + share * (WIDTH - LEFT - RIGHT);
  };
  const height = TOP + bars.length * ROW + 10;
  const ticks = TICKS.filter((tick) => tick >= min && tick <= max).map((tick) => {
    const at = x(tick).toFixed(1);
    return (
      `<line x1="${at}" x2="${at}" y1="${TOP - 6}" y2="${height - 10}" stroke="${COLOURS.line}" stroke-opacity="0.3"/>` +
      `<text x="${at}" y="${TOP - 10}" text-anchor="middle">${tick}</text>`
    );
  });
  const rows = bars.map((bar, index) => drawBar(bar, TOP + index * ROW, x));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="11" fill="${COLOURS.text}">`,
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>`,
    `<text x="8" y="18" font-size="14" font-weight="bold">${escapeXml(title)}</text>`,
    ...ticks,
    ...rows,
    "</svg>",
    "",
  ].join("\n");
}

function drawBar({ label, value, quartiles, target }: Bar, top: number, x: (value: number) => number): string {
  const bar = top + BAR.top;
  const middle = bar + BAR.height / 2;
  const colour = target === undefined ? COLOURS.none : value <= target ? COLOURS.met : COLOURS.missed;
  const [left, right] = [Math.min(x(1), x(value)), Math.max(x(1), x(value))];
  const ends = (quartiles ?? []).map(x);
  const line = (from: number, to: number, y1: number, y2: number, style = 'stroke="#000"') =>
    `<line x1="${from.toFixed(1)}" x2="${to.toFixed(1)}" y1="${y1}" y2="${y2}" ${style}/>`;
  const dashed = 'stroke="#000" stroke-width="2" stroke-dasharray="3 2"';
  return [
    `<text x="${LEFT}" y="${top + LABEL}">${escapeXml(label)}</text>`,
    `<rect x="${left.toFixed(1)}" y="${bar}" width="${Math.max(1, right - left).toFixed(1)}" height="${BAR.height}" fill="${colour}" fill-opacity="0.75"/>`,
    ...(ends[0] !== undefined && ends[1] !== undefined
      ? [line(ends[0], ends[1], middle, middle), ...ends.map((end) => line(end, end, middle - 4, middle + 4))]
      : []),
    ...(target === undefined ? [] : [line(x(target), x(target), bar - 3, bar + BAR.height + 3, dashed)]),
    `<text x="${(Math.max(right, ...ends) + 8).toFixed(1)}" y="${middle + 4}">${value.toFixed(2)}</text>`,
  ].join("");
}

const escapeXml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
