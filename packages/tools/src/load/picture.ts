import type { Latencies } from './latencies.ts';

/**
 * Latency over percentile, both logarithmic, as SVG. Every mark to the right stands for a tenth of the calls of the one
 * before; this is where a deployment differs from its average.
 */

const WIDTH = 860;
const HEIGHT = 420;
const REMARK_HEIGHT = 18;
const [LEFT, RIGHT, TOP, BOTTOM] = [80, WIDTH - 24, 84, HEIGHT - 56];
/** Of curves: distinguishable with impaired colour vision and readable on white. */
const COLOURS = ['#c8324c', '#1f78a8', '#7d8899', '#d98e04'] as const;
/** Of text, frame lines and background. */
const INK = { text: '#1f2937', quiet: '#4b5563', grid: '#e5e7eb', ground: '#ffffff' } as const;
const LEAST_MS = 0.01;
const MARKS = ['0 %', '90 %', '99 %', '99.9 %', '99.99 %', '99.999 %'];

/** Draws up to four curves, with remarks below. Curves without a value are left out. */
export function percentilePicture(
  title: string,
  curves: readonly { readonly label: string; readonly latencies: Latencies }[],
  remarks: readonly string[],
): string {
  const drawn = curves.filter(({ latencies }) => latencies.count > 0);
  const ladders = drawn.flatMap(({ latencies }) => latencies.ladder);
  const values = ladders.map(([, us]) => Math.max(LEAST_MS, us / 1000));
  const finest = Math.max(1, ...ladders.map(([percentile]) => nines(percentile)));
  const from = Math.floor(Math.log10(Math.min(1, ...values)));
  const to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(1, ...values))));
  const x = (nine: number): number => LEFT + (nine / finest) * (RIGHT - LEFT);
  const y = (ms: number): number =>
    BOTTOM - ((Math.log10(Math.max(LEAST_MS, ms)) - from) / (to - from)) * (BOTTOM - TOP);
  const rows = Array.from({ length: to - from + 1 }, (_, step) => Number(`1e${from + step}`)).flatMap((ms) => [
    line([LEFT, y(ms)], [RIGHT, y(ms)], INK.grid),
    text(LEFT - 8, y(ms) + 4, `${ms.toLocaleString('en')} ms`, { anchor: 'end' }),
  ]);
  const columns = MARKS.filter((_, nine) => nine <= finest).flatMap((mark, nine) => [
    line([x(nine), TOP], [x(nine), BOTTOM], INK.grid),
    text(x(nine), BOTTOM + 18, mark, { anchor: 'middle' }),
  ]);
  const legendStep = drawn.length > 2 ? 200 : 300;
  const lines = drawn.flatMap(({ label, latencies }, index) => [
    line([LEFT + index * legendStep, 58], [LEFT + index * legendStep + 22, 58], COLOURS[index % COLOURS.length]!, 3),
    text(LEFT + index * legendStep + 30, 62, label, { size: 13, colour: INK.text }),
    polyline(
      latencies.ladder.map(([percentile, us]) => [x(nines(percentile)), y(us / 1000)]),
      COLOURS[index % COLOURS.length]!,
      2.2,
    ),
  ]);
  const caption = 'share of the calls that were answered at least as fast';
  const told = drawn.map(
    ({ label, latencies: { count, maxUs } }) =>
      `${label}: ${count} calls, the slowest ${(maxUs / 1000).toFixed(1)} ms.`,
  );
  const below = [caption, ...remarks].map((words, row) =>
    text((LEFT + RIGHT) / 2, HEIGHT - 14 + row * REMARK_HEIGHT, words, { anchor: 'middle' }),
  );
  const height = HEIGHT + remarks.length * REMARK_HEIGHT;
  const box = `width="${WIDTH}" height="${height}"`;
  return [
    `<svg role="img" xmlns="http://www.w3.org/2000/svg" ${box} viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif">`,
    `<title>${toXml(title)}</title>`,
    // Whoever cannot see the picture is told what it shows.
    `<desc>${toXml([...told, ...remarks].join(' '))}</desc>`,
    `<rect ${box} fill="${INK.ground}"/>`,
    text(16, 30, title, { size: 16, colour: INK.text, weight: 600 }),
    ...rows,
    ...columns,
    ...below,
    ...lines,
    '</svg>\n',
  ].join('\n');
}

/** Converts a percentile into its number of nines: 0 → 0, 90 → 1, 99 → 2, 99.9 → 3. */
function nines(percentile: number): number {
  return Math.max(0, -Math.log10(Math.max(1e-6, 1 - percentile / 100)));
}

interface TextStyle {
  readonly anchor?: 'start' | 'middle' | 'end';
  readonly size?: number;
  readonly colour?: string;
  readonly weight?: number;
}

function text(x: number, y: number, content: string, style: TextStyle = {}): string {
  const { anchor = 'start', size = 12, colour = INK.quiet, weight = 400 } = style;
  const look = `text-anchor="${anchor}" font-size="${size}" font-weight="${weight}" fill="${colour}"`;
  return `<text x="${x}" y="${y}" ${look}>${toXml(content)}</text>`;
}

type Point = readonly [x: number, y: number];

function line(from: Point, to: Point, colour: string, width = 1): string {
  return polyline([from, to], colour, width);
}

function polyline(points: readonly Point[], colour: string, width: number): string {
  const places = points.map((point) => point.map((at) => at.toFixed(1)).join(',')).join(' ');
  return `<polyline fill="none" stroke="${colour}" stroke-width="${width}" points="${places}"/>`;
}

function toXml(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
