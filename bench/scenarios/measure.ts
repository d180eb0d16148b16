import type { ClosedResult } from '../generator/closed-loop.ts';
import type { Mix } from '../generator/mix.ts';
import type { OpenResult } from '../generator/open-loop.ts';
import type { Phase } from '../generator/record.ts';
import { cpuTimeUs, parseCostUs, residentBytes, treeCpuTimeUs, watchHost } from '../machine/accounting.ts';
import type { Contestant } from '../machine/contestant.ts';
import type { Stage } from './scenario.ts';

/** A rate above every contestant's, for preparing enough requests for a first run. */
const FIRST_GUESS_PER_SECOND = 12_000;

/** The spare length of a tape over the last run, because a later round may be faster. */
const HEADROOM = 1.5;

/** The seed of every tape; all contestants get the same baskets and members in the same order. */
const SEED = 20_261_120;

const OPEN_CONNECTIONS = { least: 64, most: 1024 };

/** What the operating system counted while a load was played. */
export interface Cost {
  /** CPU time in microseconds, of all calls together. */
  readonly contestantUs: number;
  readonly redisUs: number;
  readonly generatorUs: number;
  /** CPU time of as many `JSON.parse` of the call's body, measured right after the calls. */
  readonly parseUs: number;
  readonly residentBytes: number;
  /** The host stood still, or served others. */
  readonly isDisturbed: boolean;
}

export type ClosedMeasurement = ClosedResult & Cost;
export type OpenMeasurement = OpenResult & Cost;

/** The last known speed per contestant and basket size, to prepare the right number of requests. */
const speeds = new Map<string, number>();

/** Measures saturation for a time or a number of requests. */
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
  const count = (amount ?? Math.ceil(seconds * perSecond * HEADROOM)) + options.connections;
  if (!isContinued) await generator.run('prepare', { mix, secret: contestant.secret, seed: SEED, count });
  const load = {
    url: contestant.url,
    connections: options.connections,
    seconds,
    ...(amount !== undefined && { amount }),
  };
  const play = () => generator.run('closed', load);
  const measured = await withCost(stage, contestant, mix, play, ({ requests }) => requests);
  speeds.set(speedKey, measured.requests / measured.seconds);
  return measured;
}

/** Measures an open loop. */
export async function measureOpen(
  stage: Stage,
  contestant: Contestant,
  mix: Mix,
  phases: readonly Phase[],
  round = 0,
): Promise<OpenMeasurement> {
  const { generator } = stage;
  const due = phases.reduce((sum, { perSecond, seconds }) => sum + perSecond * seconds, 0);
  const count = Math.ceil(due * 1.05) + 1000;
  await generator.run('prepare', { mix, secret: contestant.secret, seed: SEED, count });
  const load = { url: contestant.url, phases, connections: OPEN_CONNECTIONS, seed: SEED + round };
  return withCost(stage, contestant, mix, () => generator.run('open', load), sentOf);
}

/** Measures an open loop of one rate. */
export function measureSteady(
  stage: Stage,
  contestant: Contestant,
  mix: Mix,
  { perSecond, seconds, round }: { readonly perSecond: number; readonly seconds: number; readonly round: number },
): Promise<OpenMeasurement> {
  return measureOpen(stage, contestant, mix, [{ name: 'steady', perSecond, seconds }], round);
}

/** Warms up a contestant: a service that has run for weeks has compiled code and filled caches. */
export async function warmUp(stage: Stage, contestant: Contestant, mix: Mix): Promise<void> {
  await measureClosed(stage, contestant, mix, { seconds: stage.options.warmUpSeconds });
}

/** Answers with 200 per second; refusals do not count, because they are quick and no work. */
export function perSecondOf({ accepted, seconds }: ClosedResult): number {
  return accepted / seconds;
}

/** The number of requests of all phases. */
export function sentOf({ phases }: OpenResult): number {
  return phases.reduce((sum, { sent }) => sum + sent, 0);
}

async function withCost<Result>(
  { generator }: Stage,
  contestant: Contestant,
  { lines }: Mix,
  play: () => Promise<Result>,
  callsOf: (result: Result) => number,
): Promise<Result & Cost> {
  const look = () => ({
    contestantUs: treeCpuTimeUs(contestant.pid),
    // Redis' children are left out: a Redis that rewrites its file forks, and the child's time disappears at its end.
    redisUs: cpuTimeUs(contestant.redisPid),
    generatorUs: cpuTimeUs(generator.pid),
  });
  const endWatch = watchHost();
  const before = look();
  const result = await play();
  const after = look();
  const isDisturbed = endWatch();
  return {
    ...result,
    contestantUs: after.contestantUs - before.contestantUs,
    redisUs: after.redisUs - before.redisUs,
    generatorUs: after.generatorUs - before.generatorUs,
    parseUs: parseCostUs(lines) * callsOf(result),
    residentBytes: residentBytes(contestant.pid),
    isDisturbed,
  };
}
