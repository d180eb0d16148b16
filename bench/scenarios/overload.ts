import type { PhaseResult } from '../generator/protocol.ts';
import type { Mix } from '../load/mix.ts';
import { residentBytes } from '../machine/accounting.ts';
import type { Contestant } from '../machine/contestant.ts';
import { percentileMs, showNumber, showSpread } from '../report/spread.ts';
import { measureClosed, measureOpen } from './measure.ts';
import { recoveryMs } from './recovery.ts';
import { withService } from './rounds.ts';
import type { OpenMeasurement, Scenario, ScenarioReport, Stage } from './scenario.ts';

const MIX: Mix = { lines: 20 };
const TIMES = 3;
/** A minute of overload, with a time at half load before and after. */
const LENGTH = 6;
/** The least time after the overload, in which recovery shows. */
const LEAST_CALM_SECONDS = 4;
const MEMORY_POLL_MS = 250;
const MEGABYTE = 1024 * 1024;

/** Shows the latency of admitted calls under a large overload. */
export const overloadScenario: Scenario = {
  name: 'overload',
  about: `open loop, 20 lines, ${TIMES} × saturation for a minute, with half load before and after`,
  run: runOverload,
};

interface Round extends OpenMeasurement {
  readonly goodputShare: number;
  readonly recoveryMs: number;
  readonly memory: { readonly beforeBytes: number; readonly peakBytes: number; readonly afterBytes: number };
}

async function runOverload(stage: Stage): Promise<ScenarioReport> {
  const { options } = stage;
  const calmSeconds = Math.max(LEAST_CALM_SECONDS, options.seconds);
  const overloadSeconds = options.seconds * LENGTH;
  const rounds: Round[] = [];
  const saturation = await withService(stage, MIX, async (service) => {
    const { perSecond } = await measureClosed(stage, service, MIX);
    let saturationBefore = perSecond;
    const phases = [
      { name: 'before', perSecond: perSecond / 2, seconds: calmSeconds },
      { name: 'overload', perSecond: perSecond * TIMES, seconds: overloadSeconds },
      { name: 'after', perSecond: perSecond / 2, seconds: calmSeconds },
    ];
    for (let index = 0; index < options.rounds; index += 1) {
      const memory = watchMemory(service);
      const measured = await measureOpen(stage, service, MIX, phases, { seed: index });
      // Saturation itself swings with the host, so it is measured on both sides of the overload.
      const saturationAfter = (await measureClosed(stage, service, MIX)).perSecond;
      const accepted = phase(measured, 'overload').acceptedAll.count / overloadSeconds;
      const round = {
        ...measured,
        goodputShare: accepted / ((saturationBefore + saturationAfter) / 2),
        recoveryMs: recoveryMs(measured.slices, measured.sliceMs, (calmSeconds + overloadSeconds) * 1000),
        memory: memory.end(),
      };
      saturationBefore = saturationAfter;
      rounds.push(round);
      stage.say(`round ${index + 1} of ${options.rounds}: goodput ${showNumber(round.goodputShare * 100)} %`);
    }
    return perSecond;
  });
  return {
    tables: [table(saturation, rounds)],
    figures: {
      'overload.goodput': rounds.map(({ goodputShare }) => goodputShare),
      'overload.accepted.p95': rounds.map((round) => percentileMs(phase(round, 'overload').acceptedAll, 95)),
      'overload.accepted.p99': rounds.map((round) => percentileMs(phase(round, 'overload').acceptedAll, 99)),
      'overload.refused.p99': rounds.map((round) => percentileMs(phase(round, 'overload').refused, 99)),
      'overload.recoveryMs': rounds.map((round) => round.recoveryMs),
      'overload.memory': rounds.map(({ memory }) => memory.afterBytes / memory.beforeBytes),
    },
    notes: [
      'The generator shares the machine with the service and takes a part of it for what it sends: see its CPU per request.',
    ],
    raw: { saturation, rounds },
  };
}

function table(saturation: number, rounds: readonly Round[]) {
  const overload = rounds.map((round) => phase(round, 'overload'));
  const share = (part: PhaseResult): number => part.refused.count / Math.max(1, part.sent);
  const rows: [string, readonly number[]][] = [
    ['sent/s', overload.map((part) => part.sent / part.seconds)],
    ['goodput, % of saturation', rounds.map(({ goodputShare }) => goodputShare * 100)],
    ['accepted p95 ms', overload.map((part) => percentileMs(part.acceptedAll, 95))],
    ['accepted p99 ms', overload.map((part) => percentileMs(part.acceptedAll, 99))],
    ['refused, % of sent', overload.map((part) => share(part) * 100)],
    ['refused p99 ms', overload.map((part) => percentileMs(part.refused, 99))],
    ['neither, % of sent', overload.map((part) => lostShare(part) * 100)],
    ['normal again after ms', rounds.map((round) => round.recoveryMs)],
    ['memory before MB', rounds.map(({ memory }) => memory.beforeBytes / MEGABYTE)],
    ['memory at most MB', rounds.map(({ memory }) => memory.peakBytes / MEGABYTE)],
    ['memory after MB', rounds.map(({ memory }) => memory.afterBytes / MEGABYTE)],
    ['CPU µs per sent request', rounds.map(({ cpu }) => cpu.contestantUs)],
    ['generator µs per sent request', rounds.map(({ cpu }) => cpu.generatorUs)],
    ['generator late p99 ms', rounds.map(({ sendDelay }) => percentileMs(sendDelay, 99))],
  ];
  return {
    title: `overload: ${TIMES} × ${showNumber(saturation)}/s`,
    head: ['', 'service'],
    rows: rows.map(([label, values]) => [label, showSpread(values)]),
  };
}

function phase(measured: OpenMeasurement, name: string): PhaseResult {
  const found = measured.phases.find((one) => one.name === name);
  if (!found) throw new Error(`There was no phase ${name}.`);
  return found;
}

function lostShare(part: PhaseResult): number {
  return (part.sent - part.acceptedAll.count - part.refused.count) / Math.max(1, part.sent);
}

/** Samples the resident memory until `end`. */
function watchMemory(contestant: Contestant): { end: () => Round['memory'] } {
  const beforeBytes = residentBytes(contestant.pid);
  let peakBytes = beforeBytes;
  const timer = setInterval(() => {
    peakBytes = Math.max(peakBytes, residentBytes(contestant.pid));
  }, MEMORY_POLL_MS);
  return {
    end: () => {
      clearInterval(timer);
      const afterBytes = residentBytes(contestant.pid);
      return { beforeBytes, peakBytes: Math.max(peakBytes, afterBytes), afterBytes };
    },
  };
}
