import type { Latencies } from '../../packages/tools/src/load/latencies.ts';
import type { PhaseResult } from '../generator/record.ts';
import { percentileMs, showNumber, showSpread } from '../report/spread.ts';
import { type OpenMeasurement, sentOf } from './measure.ts';
import type { Table } from './scenario.ts';

/** A row's name, its rounds, and the latencies of a round that it shows. */
export interface LatencyRow {
  readonly label: string;
  readonly rounds: readonly OpenMeasurement[];
  readonly latencies?: (round: OpenMeasurement) => Latencies | undefined;
}

const SHOWN = [50, 90, 95, 99, 99.9];

/** Percentiles from the scheduled send, in milliseconds: the median of the rounds, with least and most. */
export function latencyTable(title: string, rows: readonly LatencyRow[]): Table {
  return {
    title,
    head: ['', 'answered', ...SHOWN.map((each) => `p${each} ms`), 'max ms', 'not 200', 'generator late p99 ms'],
    rows: rows.map(({ label, rounds, latencies = acceptedOf }) => {
      const all = rounds.map(latencies);
      return [
        label,
        showNumber(all.reduce((sum, one) => sum + (one?.count ?? 0), 0)),
        ...SHOWN.map((percentile) => showSpread(all.map((one) => percentileMs(one, percentile)))),
        showSpread(all.map((one) => (one?.maxUs ?? Number.NaN) / 1000)),
        showNumber(rounds.reduce((sum, round) => sum + failuresOf(round), 0)),
        showSpread(rounds.map(({ sendDelay }) => percentileMs(sendDelay, 99))),
      ];
    }),
  };
}

/** The only phase of a run of one rate. */
export function onlyPhase({ phases }: OpenMeasurement): PhaseResult {
  const [phase] = phases;
  if (!phase || phases.length !== 1) throw new Error('This run has not one phase.');
  return phase;
}

export function acceptedOf(round: OpenMeasurement): Latencies {
  return onlyPhase(round).acceptedAll;
}

/** Counts the requests without a correct 200. */
export function failuresOf(round: OpenMeasurement): number {
  const accepted = round.phases.reduce((sum, { acceptedAll }) => sum + acceptedAll.count, 0);
  return sentOf(round) - accepted + round.wrongBodies;
}
