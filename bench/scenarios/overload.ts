import type { PhaseResult, Slice } from '../generator/record.ts';
import { residentBytes } from '../machine/accounting.ts';
import type { Contestant } from '../machine/contestant.ts';
import { percentileMs, showNumber, showSpread } from '../report/spread.ts';
import { MEGABYTE } from './lines.ts';
import { measureClosed, measureOpen, type OpenMeasurement, perSecondOf, sentOf } from './measure.ts';
import { withOne } from './rounds.ts';
import type { Scenario, ScenarioReport, Stage } from './scenario.ts';

const MIX = { lines: 20 };
const TIMES = 3;
/** A minute of overload, with a time at half load before and after. */
const LENGTH = 6;
/** The least time after the overload, in which recovery shows. */
const LEAST_CALM_SECONDS = 4;
const MEMORY_POLL_MS = 250;

/** Shows the latency of admitted calls under a large overload. */
export const overloadScenario: Scenario = {
  name: 'overload',
  about: `open loop, 20 lines, ${TIMES} × saturation for a minute, with half load before and after`,
  run: runOverload,
};

interface Round extends OpenMeasurement {
  /** Of the phase of overload alone. */
  readonly overload: PhaseResult;
  readonly goodputShare: number;
  readonly recoveryMs: number;
  readonly memory: { readonly beforeBytes: number; readonly peakBytes: number; readonly afterBytes: number };
}

async function runOverload(stage: Stage): Promise<ScenarioReport> {
  const { options } = stage;
  const calmSeconds = Math.max(LEAST_CALM_SECONDS, options.seconds);
  const overloadSeconds = options.seconds * LENGTH;
  const rounds: Round[] = [];
  const saturation = await withOne(stage, MIX, async (service) => {
    const perSecond = perSecondOf(await measureClosed(stage, service, MIX));
    let saturationBefore = perSecond;
    const phases = [
      { name: 'before', perSecond: perSecond / 2, seconds: calmSeconds },
      { name: 'overload', perSecond: perSecond * TIMES, seconds: overloadSeconds },
      { name: 'after', perSecond: perSecond / 2, seconds: calmSeconds },
    ];
    for (let index = 0; index < options.rounds; index += 1) {
      const endMemory = watchMemory(service);
      const measured = await measureOpen(stage, service, MIX, phases, index);
      const memory = endMemory();
      // Saturation itself swings with the host, so it is measured on both sides of the overload.
      const saturationAfter = perSecondOf(await measureClosed(stage, service, MIX));
      const overload = measured.phases.find(({ name }) => name === 'overload')!;
      const goodputShare = overload.acceptedAll.count / overloadSeconds / ((saturationBefore + saturationAfter) / 2);
      const endMs = (calmSeconds + overloadSeconds) * 1000;
      const recovered = recoveryMs(measured.slices, measured.sliceMs, endMs);
      rounds.push({ ...measured, overload, goodputShare, recoveryMs: recovered, memory });
      saturationBefore = saturationAfter;
      stage.say(`round ${index + 1} of ${options.rounds}: goodput ${showNumber(goodputShare * 100)} %`);
    }
    return perSecond;
  });
  const share = ({ overload }: Round, count: number) => (count / Math.max(1, overload.sent)) * 100;
  const rows: Readonly<Record<string, (round: Round) => number>> = {
    'sent/s': ({ overload }) => overload.sent / overload.seconds,
    'goodput, % of saturation': ({ goodputShare }) => goodputShare * 100,
    'accepted p95 ms': ({ overload }) => percentileMs(overload.acceptedAll, 95),
    'accepted p99 ms': ({ overload }) => percentileMs(overload.acceptedAll, 99),
    'refused, % of sent': (round) => share(round, round.overload.refused.count),
    'refused p99 ms': ({ overload }) => percentileMs(overload.refused, 99),
    'neither, % of sent': (round) => {
      const { sent, acceptedAll, refused } = round.overload;
      return share(round, sent - acceptedAll.count - refused.count);
    },
    'normal again after ms': (round) => round.recoveryMs,
    'memory before MB': ({ memory }) => memory.beforeBytes / MEGABYTE,
    'memory at most MB': ({ memory }) => memory.peakBytes / MEGABYTE,
    'memory after MB': ({ memory }) => memory.afterBytes / MEGABYTE,
    'CPU µs per sent request': (round) => round.contestantUs / sentOf(round),
    'generator µs per sent request': (round) => round.generatorUs / sentOf(round),
    'generator late p99 ms': ({ sendDelay }) => percentileMs(sendDelay, 99),
  };
  return {
    tables: [
      {
        title: `overload: ${TIMES} × ${showNumber(saturation)}/s`,
        head: ['', 'service'],
        rows: Object.entries(rows).map(([label, figure]) => [label, showSpread(rounds.map(figure))]),
      },
    ],
    figures: {
      'overload.goodput': rounds.map(({ goodputShare }) => goodputShare),
      'overload.accepted.p95': rounds.map(({ overload }) => percentileMs(overload.acceptedAll, 95)),
      'overload.accepted.p99': rounds.map(({ overload }) => percentileMs(overload.acceptedAll, 99)),
      'overload.refused.p99': rounds.map(({ overload }) => percentileMs(overload.refused, 99)),
      'overload.recoveryMs': rounds.map((round) => round.recoveryMs),
      'overload.memory': rounds.map(({ memory }) => memory.afterBytes / memory.beforeBytes),
    },
    note: 'The generator shares the machine with the service and takes a part of it for what it sends: see its CPU per request.',
    raw: { saturation, rounds },
  };
}

/** Samples the resident memory until the returned function is called. */
function watchMemory({ pid }: Contestant): () => Round['memory'] {
  const beforeBytes = residentBytes(pid);
  let peakBytes = beforeBytes;
  const timer = setInterval(() => {
    peakBytes = Math.max(peakBytes, residentBytes(pid));
  }, MEMORY_POLL_MS);
  return () => {
    clearInterval(timer);
    const afterBytes = residentBytes(pid);
    return { beforeBytes, peakBytes: Math.max(peakBytes, afterBytes), afterBytes };
  };
}

/** In a normal slice of time every request is accepted within this p99 budget. */
const BUDGET_US = 250_000;

/** Recovery needs normal slices for this long, to exclude a lucky moment. */
const CALM_MS = 1000;

/**
 * Milliseconds from `fromMs` to the beginning of the first full second of normal slices; infinite when there is none.
 */
export function recoveryMs(slices: readonly Slice[], sliceMs: number, fromMs: number): number {
  const needed = Math.ceil(CALM_MS / sliceMs);
  const isNormal = (slice: Slice): boolean =>
    slice.refused === 0 && slice.failed === 0 && slice.worstAcceptedUs <= BUDGET_US;
  // The end of the schedule cuts off the last slice.
  for (let start = Math.ceil(fromMs / sliceMs); start + needed < slices.length; start += 1) {
    if (slices.slice(start, start + needed).every(isNormal)) return Math.max(0, start * sliceMs - fromMs);
  }
  return Number.POSITIVE_INFINITY;
}
