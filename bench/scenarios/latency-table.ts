import type { Latencies } from '../../packages/tools/src/load/latencies.ts';
import type { PhaseResult } from '../generator/protocol.ts';
import { percentileMs, showNumber, showSpread } from '../report/spread.ts';
import type { Table } from '../report/table.ts';
import type { OpenMeasurement } from './scenario.ts';

/** A row's name, its rounds, and the latencies of a round that it shows. */
export interface LatencyRow {
  readonly label: string;
  readonly rounds: readonly OpenMeasurement[];
  readonly latencies: (round: OpenMeasurement) => Latencies | undefined;
}

/** Percentiles from the scheduled send, in milliseconds, each at its worse end over the rounds. */
export function latencyTable(title: string, rows: readonly LatencyRow[]): Table {
  const shown = [50, 90, 95, 99, 99.9];
  return {
    title,
    head: [
      '',
      'answered',
      ...shown.map((percentile) => `p${percentile} ms`),
      'max ms',
      'not 200',
      'generator late p99 ms',
    ],
    rows: rows.map(({ label, rounds, latencies }) => {
      const all = rounds.map(latencies);
      return [
        label,
        showNumber(all.reduce((sum, one) => sum + (one?.count ?? 0), 0)),
        ...shown.map((percentile) => showSpread(all.map((one) => percentileMs(one, percentile)))),
        showSpread(all.map((one) => (one?.maxUs ?? Number.NaN) / 1000)),
        showNumber(rounds.reduce((sum, round) => sum + failuresOf(round), 0)),
        showSpread(rounds.map(({ sendDelay }) => percentileMs(sendDelay, 99))),
      ];
    }),
  };
}

/** Returns the only phase of a run with one phase. */
export function onlyPhase({ phases }: OpenMeasurement): PhaseResult {
  const [phase] = phases;
  if (!phase || phases.length !== 1) throw new Error('This run has not one phase.');
  return phase;
}

export function acceptedOf(round: OpenMeasurement): Latencies {
  return onlyPhase(round).acceptedAll;
}

/** Counts the requests without a correct 200. */
export function failuresOf({ phases, faults }: OpenMeasurement): number {
  const notAccepted = phases.reduce((sum, { sent, acceptedAll }) => sum + sent - acceptedAll.count, 0);
  return notAccepted + faults.wrongBodies;
}
