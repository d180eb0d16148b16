import type { Mix } from '../load/mix.ts';
import type { ContestantName } from '../machine/contestant.ts';
import { mergeNoise } from '../machine/host-watch.ts';
import { showNumber } from '../report/spread.ts';
import { measureClosed } from './measure.ts';
import { inRounds, type Results } from './rounds.ts';
import type { ClosedMeasurement, CpuPerCall, Stage } from './scenario.ts';

/** Short enough that a disturbance of some seconds affects every contestant, long enough for thousands of calls. */
const TURN_SECONDS = 1;

/**
 * Measures the saturation of every contestant in rounds of short turns; a round has the length of one measurement, and
 * processes of its own.
 */
export function saturate(
  stage: Stage,
  names: readonly ContestantName[],
  mix: Mix,
): Promise<Results<ClosedMeasurement>> {
  const { seconds } = stage.options;
  return inRounds(
    stage,
    names,
    mix,
    (contestant) => measureClosed(stage, contestant, mix, { seconds: TURN_SECONDS }),
    ({ perSecond, cpu }) => `${mix.lines} lines: ${showNumber(perSecond)}/s, ${showNumber(cpu.contestantUs)} µs CPU`,
    { count: Math.ceil(seconds / TURN_SECONDS), merge: mergeClosed },
  );
}

/** Merges several runs: counts and times are summed; of percentiles and memory the worst value is kept. */
function mergeClosed(runs: readonly ClosedMeasurement[]): ClosedMeasurement {
  const total = (figure: (run: ClosedMeasurement) => number): number => runs.reduce((sum, run) => sum + figure(run), 0);
  const worst = (figure: (run: ClosedMeasurement) => number): number => Math.max(...runs.map(figure));
  const seconds = total((run) => run.seconds);
  const requests = total((run) => run.requests);
  const perRequest = (figure: (cpu: CpuPerCall) => number): number =>
    total((run) => figure(run.cpu) * run.requests) / requests;
  const statuses: Record<string, number> = {};
  for (const run of runs) {
    for (const [status, count] of Object.entries(run.statuses)) statuses[status] = (statuses[status] ?? 0) + count;
  }
  return {
    seconds,
    requests,
    statuses,
    faults: total((run) => run.faults),
    bytesIn: total((run) => run.bytesIn),
    preparedLate: total((run) => run.preparedLate),
    latencyMs: { p50: worst((run) => run.latencyMs.p50), p99: worst((run) => run.latencyMs.p99) },
    perSecond: (statuses['200'] ?? 0) / seconds,
    cpu: {
      contestantUs: perRequest((cpu) => cpu.contestantUs),
      redisUs: perRequest((cpu) => cpu.redisUs),
      generatorUs: perRequest((cpu) => cpu.generatorUs),
      parseUs: perRequest((cpu) => cpu.parseUs),
    },
    host: mergeNoise(runs.map(({ host }) => host)),
    residentBytes: worst((run) => run.residentBytes),
  };
}
