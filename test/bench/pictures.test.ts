/** The benchmark's pictures, as they are written: whole SVG with every label and unit, and words for who cannot see it. */
import { beforeAll, describe, expect, it } from 'vitest';
import { provideBenchPackages } from '../../bench/packages.ts';
import { growthPicture } from '../../bench/pricing/growth-picture.ts';
import { PROGRAMMES } from '../../bench/pricing/programmes.ts';
import { barPicture } from '../../bench/report/bars.ts';
import { percentilePlot } from '../../bench/report/percentile-plot.ts';
import type { Picture } from '../../bench/report/picture.ts';
import { renderSvg } from '../../bench/report/render.ts';
import { timeline } from '../../bench/report/timeline.ts';

beforeAll(() => provideBenchPackages(), 120_000);

const ladder = [0, 50, 90, 99, 99.9].map((percentile, index) => [percentile, 1000 * 3 ** index] as const);
const latencies = { count: 1000, meanUs: 2000, maxUs: 90_000, ladder };
const slice = { accepted: 10, refused: 5, failed: 0, worstAcceptedUs: 20_000 };
const marks = [{ label: 'Redis stopped', fromSeconds: 1, toSeconds: 2 }];
const grid = PROGRAMMES.flatMap((programme) =>
  [5, 50].map((lines) => ({ programme, lines, benefits: 5, work: lines * 5, costs: [lines * 3] })),
);

const PICTURES: Record<string, { picture: Picture; shows: readonly string[] }> = {
  percentiles: {
    picture: percentilePlot('p', 'Latency & <all> of it', { service: latencies, 'round 1': latencies }),
    shows: ['Latency &amp; &lt;all> of it', 'service', 'round 1', '99.9 %', '10 ms', 'service: p50 3 ms, p99 27 ms'],
  },
  'percentiles of nothing': {
    picture: percentilePlot('p', 'Nothing', { service: undefined, floor: { ...latencies, count: 0, ladder: [] } }),
    shows: ['Nothing', '90 %'],
  },
  bars: {
    picture: barPicture('b', 'CPU', 'µs', [
      { label: 'service', parts: { process: 210.4, redis: 55 } },
      { label: 'floor', parts: { process: 100, redis: 50 } },
    ]),
    shows: ['service', 'floor', 'process', 'redis', '>265 µs<', '>150 µs<'],
  },
  timeline: {
    picture: timeline('t', 'A stall', [slice, { ...slice, refused: 0 }, slice, slice], 1000, marks),
    shows: ['accepted', 'refused', 'Redis stopped', 'answers per second', 'slowest accepted, ms', '1 to 2 s.'],
  },
  growth: { picture: growthPicture(grid), shows: [...PROGRAMMES, '100 µs', 'lines × matching benefits'] },
};

describe.each(Object.entries(PICTURES))('the picture of %s', (_name, { picture, shows }) => {
  it('is one SVG that names itself and all it shows', async () => {
    const svg = await renderSvg(picture);
    expect(svg).toMatch(/^<svg role="img"[^>]*><title>[^<]+<\/title><desc>[^<]+<\/desc>.*<\/svg>\n$/s);
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
    for (const words of shows) expect(svg).toContain(words);
  });
});
