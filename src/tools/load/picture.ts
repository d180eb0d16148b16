import { INK, PALETTE } from '../pictures/palette.ts';
import type { Latencies } from './latencies.ts';

/**
 * Latency over percentile, both logarithmic, as SVG. Every mark to the right stands for a tenth of the calls of the one
 * before; this is where a deployment differs from its average.
 */

const WIDTH = 860;
const HEIGHT = 420;
const PLOT = { left: 80, right: 24, top: 84, bottom: 56 };
const COLOURS = [PALETTE.red, PALETTE.blue] as const;
const LEAST_MS = 0.01;
const MARKS = ['0 %', '90 %', '99 %', '99.9 %', '99.99 %', '99.999 %'];

export interface Curve {
  readonly label: string;
  readonly latencies: Latencies;
}

interface Scale {
  readonly x: (percentile: number) => number;
  readonly y: (ms: number) => number;
  readonly decades: readonly number[];
  readonly marks: readonly number[];
}

/** Draws up to two curves. Curves without a value are left out. */
export function percentilePicture(title: string, curves: readonly Curve[]): string {
  const drawn = curves.filter(({ latencies }) => latencies.count > 0);
  const scale = scaleOf(drawn);
  const box = `width="${WIDTH}" height="${HEIGHT}"`;
  return [
    `<svg role="img" xmlns="http://www.w3.org/2000/svg" ${box} viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12" fill="${INK.quiet}">`,
    `<title>${toXml(title)}</title>`,
    `<desc>${toXml(drawn.map(describe).join(' '))}</desc>`,
    `<rect ${box} fill="${INK.ground}"/>`,
    `<text x="16" y="30" font-size="16" font-weight="600" fill="${INK.text}">${toXml(title)}</text>`,
    ...grid(scale),
    ...drawn.flatMap((curve, index) => drawCurve(curve, index, scale)),
    '</svg>\n',
  ].join('\n');
}

function scaleOf(curves: readonly Curve[]): Scale {
  const ladders = curves.flatMap(({ latencies }) => latencies.ladder);
  const values = ladders.map(([, us]) => Math.max(LEAST_MS, us / 1000));
  const finest = Math.max(1, ...ladders.map(([percentile]) => nines(percentile)));
  const from = Math.floor(Math.log10(Math.min(1, ...values)));
  const to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(1, ...values))));
  const width = WIDTH - PLOT.left - PLOT.right;
  const height = HEIGHT - PLOT.top - PLOT.bottom;
  return {
    x: (percentile) => PLOT.left + (nines(percentile) / finest) * width,
    y: (ms) => PLOT.top + height - ((Math.log10(Math.max(LEAST_MS, ms)) - from) / (to - from)) * height,
    decades: Array.from({ length: to - from + 1 }, (_, step) => Number(`1e${from + step}`)),
    marks: MARKS.map((_, nine) => nine).filter((nine) => nine <= finest),
  };
}

function grid({ x, y, decades, marks }: Scale): string[] {
  const bottom = HEIGHT - PLOT.bottom;
  const line = (x1: number, y1: number, x2: number, y2: number): string =>
    `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${INK.grid}"/>`;
  const rows = decades.flatMap((ms) => [
    line(PLOT.left, y(ms), WIDTH - PLOT.right, y(ms)),
    `<text x="${PLOT.left - 8}" y="${y(ms) + 4}" text-anchor="end">${ms.toLocaleString('en')} ms</text>`,
  ]);
  const columns = marks.flatMap((nine) => {
    const at = x(100 - 100 / 10 ** nine);
    return [
      line(at, PLOT.top, at, bottom),
      `<text x="${at}" y="${bottom + 18}" text-anchor="middle">${MARKS[nine]}</text>`,
    ];
  });
  const caption = 'share of the calls that were answered at least as fast';
  const middle = (PLOT.left + WIDTH - PLOT.right) / 2;
  return [...rows, ...columns, `<text x="${middle}" y="${HEIGHT - 14}" text-anchor="middle">${caption}</text>`];
}

function drawCurve({ label, latencies }: Curve, index: number, { x, y }: Scale): string[] {
  const colour = COLOURS[index % COLOURS.length]!;
  const points = latencies.ladder.map(([percentile, us]) => `${x(percentile).toFixed(1)},${y(us / 1000).toFixed(1)}`);
  const at = PLOT.left + index * 300;
  return [
    `<line x1="${at}" y1="58" x2="${at + 22}" y2="58" stroke="${colour}" stroke-width="3"/>`,
    `<text x="${at + 30}" y="62" font-size="13" fill="${INK.text}">${toXml(label)}</text>`,
    `<polyline fill="none" stroke="${colour}" stroke-width="2.2" points="${points.join(' ')}"/>`,
  ];
}

function describe({ label, latencies }: Curve): string {
  return `${label}: ${latencies.count} calls, the slowest ${(latencies.maxUs / 1000).toFixed(1)} ms.`;
}

/** Converts a percentile into its number of nines: 0 → 0, 90 → 1, 99 → 2, 99.9 → 3. */
function nines(percentile: number): number {
  return Math.max(0, -Math.log10(Math.max(1e-6, 1 - percentile / 100)));
}

function toXml(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
