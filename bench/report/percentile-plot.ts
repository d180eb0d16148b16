import type { Latencies } from '../../packages/tools/src/load/latencies.ts';
import { colourScale, decadeAxis, decadesAround, LEGEND, type Picture, PLOT } from './picture.ts';
import { percentileMs, showNumber } from './spread.ts';

const MARKS = ['0 %', '90 %', '99 %', '99.9 %', '99.99 %', '99.999 %', '99.9999 %'];
const LEAST_MS = 0.001;

/**
 * Draws latency over percentile, both logarithmic. Every further mark on the right stands for a tenth of the requests
 * of the one before; this is where a service differs from its average.
 */
export function percentilePlot(
  name: string,
  title: string,
  series: Readonly<Record<string, Latencies | undefined>>,
): Picture {
  const lines = Object.entries(series).flatMap(([label, latencies]) =>
    latencies && latencies.count > 0 ? [{ label, latencies }] : [],
  );
  const values = lines.flatMap(({ label, latencies }) =>
    latencies.ladder.map(([percentile, us]) => ({
      label,
      nines: nines(percentile),
      ms: Math.max(us / 1000, LEAST_MS),
    })),
  );
  const finest = Math.max(1, ...values.map((value) => value.nines));
  const marks = MARKS.map((_, nine) => nine).filter((nine) => nine <= finest);
  return {
    name,
    title,
    description: `Latency over percentile, both logarithmic. ${lines.map(describeLine).join(' ')}`,
    drawing: {
      ...PLOT,
      data: { values },
      mark: 'line',
      encoding: {
        x: {
          field: 'nines',
          type: 'quantitative',
          scale: { domain: [0, finest], nice: false },
          axis: {
            title: 'share of the requests that were answered at least as fast',
            values: marks,
            labelExpr: `${JSON.stringify(MARKS)}[datum.value]`,
          },
        },
        y: {
          field: 'ms',
          type: 'quantitative',
          ...decadeAxis(decadesAround(values.length > 0 ? values.map(({ ms }) => ms) : [1]), 'latency', ' ms'),
        },
        color: {
          field: 'label',
          type: 'nominal',
          scale: colourScale(lines.map(({ label }) => label)),
          legend: { ...LEGEND, symbolType: 'stroke' },
        },
      },
    },
  };
}

function describeLine({ label, latencies }: { readonly label: string; readonly latencies: Latencies }): string {
  const [p50, p99, p999] = [50, 99, 99.9].map((percentile) => showNumber(percentileMs(latencies, percentile)));
  return `${label}: p50 ${p50} ms, p99 ${p99} ms, p99.9 ${p999} ms.`;
}

/** Converts a percentile into its number of nines: 0 → 0, 90 → 1, 99 → 2, 99.9 → 3. */
function nines(percentile: number): number {
  return Math.max(0, -Math.log10(Math.max(1e-6, 1 - percentile / 100)));
}
