import type { ClosedLoad, OpenLoad, Phase } from '../generator/protocol.ts';
import type { Mix } from '../load/mix.ts';
import { cpuTimeUs, residentBytes, treeCpuTimeUs } from '../machine/accounting.ts';
import type { Contestant } from '../machine/contestant.ts';
import { type HostNoise, watchHost } from '../machine/host-watch.ts';
import { parseCostUs } from '../machine/parse-cost.ts';
import type { ClosedMeasurement, CpuPerCall, OpenMeasurement, Stage } from './scenario.ts';

/** A rate above every contestant's, for preparing enough requests for a first run. */
const FIRST_GUESS_PER_SECOND = 12_000;

/** The spare length of a tape over the last run, because a later round may be faster. */
const HEADROOM = 1.5;

/** The seed of every tape; all contestants get the same baskets and members in the same order. */
const SEED = 20_261_120;

const LEAST_CONNECTIONS = 64;
const MOST_CONNECTIONS = 1024;

const PROGRESS_SECONDS = 15;

/** The last known speed per contestant and basket size, to prepare the right number of requests. */
const speeds = new Map<string, number>();

/** Measures saturation for a time or a number of requests, with the CPU time per request of every process. */
export async function measureClosed(
  stage: Stage,
  contestant: Contestant,
  mix: Mix,
  more: { seconds?: number; amount?: number; isContinued?: boolean } = {},
): Promise<ClosedMeasurement> {
  const { generator, options } = stage;
  const { seconds = options.seconds, amount, isContinued = false } = more;
  const speedKey = `${contestant.name} ${mix.lines}`;
  const perSecond = speeds.get(speedKey) ?? FIRST_GUESS_PER_SECOND / Math.max(1, mix.lines / 20);
  const count = amount ?? Math.ceil(seconds * perSecond * HEADROOM);
  if (!isContinued) await generator.prepare(mix, contestant.secret, SEED, count + options.connections);
  const load: ClosedLoad = {
    url: contestant.url,
    connections: options.connections,
    seconds,
    ...(amount !== undefined && { amount }),
  };
  const { result, cpuUs, host } = await withAccounting(stage, contestant, () => generator.runClosed(load));
  speeds.set(speedKey, result.requests / result.seconds);
  return {
    ...result,
    perSecond: (result.statuses['200'] ?? 0) / result.seconds,
    cpu: perCall(cpuUs, result.requests, mix),
    host,
    residentBytes: residentBytes(contestant.pid),
  };
}

/** Measures an open loop, with the CPU time per request of every process. `during` may disturb the run. */
export async function measureOpen(
  stage: Stage,
  contestant: Contestant,
  mix: Mix,
  phases: readonly Phase[],
  more: { seed?: number; during?: () => Promise<void> } = {},
): Promise<OpenMeasurement> {
  const { generator } = stage;
  const count = phases.reduce((sum, { perSecond, seconds }) => sum + perSecond * seconds, 0);
  await generator.prepare(mix, contestant.secret, SEED, Math.ceil(count * 1.05) + 1000);
  const load: OpenLoad = {
    url: contestant.url,
    phases,
    connections: { least: LEAST_CONNECTIONS, most: MOST_CONNECTIONS },
    seed: SEED + (more.seed ?? 0),
  };
  const { result, cpuUs, host } = await withAccounting(stage, contestant, async () => {
    const progress = showProgress(stage, phases);
    try {
      const [open] = await Promise.all([generator.runOpen(load), more.during?.()]);
      return open;
    } finally {
      clearInterval(progress);
    }
  });
  const sent = result.phases.reduce((sum, phase) => sum + phase.sent, 0);
  return { ...result, cpu: perCall(cpuUs, sent, mix), host, residentBytes: residentBytes(contestant.pid) };
}

/** Warms up a contestant: a service that has run for weeks has compiled code and filled caches. */
export async function warmUp(stage: Stage, contestant: Contestant, mix: Mix): Promise<void> {
  await measureClosed(stage, contestant, mix, { seconds: stage.options.warmUpSeconds });
}

/** Creates a phase of one rate. */
export function steady(perSecond: number, seconds: number, name = 'steady'): Phase {
  return { name, perSecond, seconds };
}

/** Prints the progress of a long run at intervals. */
function showProgress({ say }: Stage, phases: readonly Phase[]): NodeJS.Timeout {
  const total = phases.reduce((sum, { seconds }) => sum + seconds, 0);
  let past = 0;
  return setInterval(() => {
    past += PROGRESS_SECONDS;
    if (past < total) say(`${past} of ${total} s`);
  }, PROGRESS_SECONDS * 1000);
}

interface CpuTimes {
  readonly contestant: number;
  readonly redis: number;
  readonly generator: number;
}

async function withAccounting<T>(
  { generator }: Stage,
  contestant: Contestant,
  work: () => Promise<T>,
): Promise<{ result: T; cpuUs: CpuTimes; host: HostNoise }> {
  const look = (): CpuTimes => ({
    contestant: treeCpuTimeUs(contestant.pid),
    // Redis' children are left out: a Redis that rewrites its file forks, and the child's time disappears at its end.
    redis: cpuTimeUs(contestant.redis.pid),
    generator: cpuTimeUs(generator.pid),
  });
  const watch = watchHost();
  const before = look();
  const result = await work();
  const after = look();
  return {
    result,
    host: watch.end(),
    cpuUs: {
      contestant: after.contestant - before.contestant,
      redis: after.redis - before.redis,
      generator: after.generator - before.generator,
    },
  };
}

function perCall(cpuUs: CpuTimes, calls: number, { lines }: Mix): CpuPerCall {
  return {
    contestantUs: cpuUs.contestant / calls,
    redisUs: cpuUs.redis / calls,
    generatorUs: cpuUs.generator / calls,
    parseUs: parseCostUs(lines),
  };
}
