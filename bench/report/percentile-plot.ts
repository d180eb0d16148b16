import type { Latencies } from '../generator/protocol.ts';
import { colourOf, FRAME, HEIGHT, legend, line, type Picture, path, picture, text, WIDTH } from './picture.ts';

const MARKS = [0, 90, 99, 99.9, 99.99, 99.999];

/**
 * Latency over percentile, both logarithmic: every further mark on the right is a tenth of the requests before it, which
 * is where a service and its average differ.
 */
export function percentilePlot(
  name: string,
  title: string,
  series: Readonly<Record<string, Latencies | undefined>>,
): Picture {
  const lines = Object.entries(series).flatMap(([label, latencies]) =>
    latencies && latencies.count > 0 ? [{ label, points: latencies.ladder }] : [],
  );
  const finest = Math.max(90, ...lines.flatMap(({ points }) => points.map(([percentile]) => percentile)));
  const values = lines.flatMap(({ points }) => points.map(([, us]) => Math.max(us, 1) / 1000));
  const bottom = Math.floor(Math.log10(Math.min(...values, 1)));
  const top = Math.max(bottom + 1, Math.ceil(Math.log10(Math.max(...values, 0.1))));
  const x = (percentile: number): number =>
    FRAME.left + (nines(percentile) / Math.max(1, nines(finest))) * (WIDTH - FRAME.left - FRAME.right);
  const y = (ms: number): number =>
    HEIGHT - FRAME.bottom - ((Math.log10(ms) - bottom) / (top - bottom)) * (HEIGHT - FRAME.top - FRAME.bottom);

  const vertical = MARKS.filter((mark) => mark <= finest).flatMap((mark) => [
    line(x(mark), FRAME.top, x(mark), HEIGHT - FRAME.bottom),
    text(x(mark), HEIGHT - FRAME.bottom + 18, `${mark} %`, { anchor: 'middle' }),
  ]);
  const powers = Array.from({ length: top - bottom + 1 }, (_, index) => 10 ** (bottom + index));
  const horizontal = powers.flatMap((ms) => [
    line(FRAME.left, y(ms), WIDTH - FRAME.right, y(ms)),
    text(FRAME.left - 8, y(ms) + 4, `${Number(ms.toPrecision(1))} ms`, { anchor: 'end' }),
  ]);
  return picture(name, title, [
    ...vertical,
    ...horizontal,
    text(WIDTH / 2, HEIGHT - 12, 'share of the requests answered at least as fast', { anchor: 'middle' }),
    ...lines.map(({ label, points }, index) =>
      path(
        points.map(([percentile, us]) => [x(percentile), y(Math.max(us, 1) / 1000)] as const),
        colourOf(label, index),
      ),
    ),
    ...legend(lines.map(({ label }) => label)),
  ]);
}

/** 0 → 0, 90 → 1, 99 → 2, 99.9 → 3. */
function nines(percentile: number): number {
  return -Math.log10(Math.max(1e-6, 1 - percentile / 100));
}
