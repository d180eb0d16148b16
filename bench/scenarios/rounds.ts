import type { Mix } from '../load/mix.ts';
import { Contestant, type ContestantName } from '../machine/contestant.ts';
import { type HostNoise, isDisturbed } from '../machine/host-watch.ts';
import { warmUp } from './measure.ts';
import type { Stage } from './scenario.ts';

export type Results<T> = ReadonlyMap<string, readonly T[]>;

/** Selects the requested contestants among those of a scenario. */
export function chosenOf(stage: Stage, names: readonly ContestantName[]): ContestantName[] {
  return names.filter((name) => stage.options.contestants.includes(name));
}

/** Starts and warms up contestants, calls `work` with them, and always stops them. */
async function withContestants<T>(
  stage: Stage,
  names: readonly ContestantName[],
  mix: Mix,
  work: (contestants: ReadonlyMap<string, Contestant>) => Promise<T>,
): Promise<T> {
  const contestants = new Map<string, Contestant>();
  try {
    for (const name of names) {
      const contestant = await Contestant.start(name);
      contestants.set(name, contestant);
      await warmUp(stage, contestant, mix);
    }
    return await work(contestants);
  } finally {
    await Promise.all([...contestants.values()].map((contestant) => contestant.stop()));
  }
}

/** The same with the service alone. */
export function withService<T>(stage: Stage, mix: Mix, work: (service: Contestant) => Promise<T>): Promise<T> {
  return withContestants(stage, ['service'], mix, (contestants) => work(contestants.get('service') as Contestant));
}

/** The division of a round. */
export interface Turns<T> {
  /** The number of turns of each contestant, and the function that merges their results. */
  readonly count: number;
  readonly merge: (turns: readonly T[]) => T;
}

/**
 * Measures all contestants in turn, A B C, B C A, C A B and so on, so that disturbances of the machine affect all alike
 * and each contestant has changing predecessors. A round of several short turns evens out disturbances of a few
 * seconds. Every round starts its processes anew, because one process in some forty is much slower than its twins.
 */
export async function inRounds<T>(
  stage: Stage,
  names: readonly ContestantName[],
  mix: Mix,
  measure: (contestant: Contestant) => Promise<T>,
  show: (result: T) => string,
  { count, merge }: Turns<T> = { count: 1, merge: ([only]) => only as T },
): Promise<Results<T>> {
  const results = new Map<string, T[]>(names.map((name) => [name, []]));
  for (let round = 0; round < stage.options.rounds; round += 1) {
    const turns = new Map<string, T[]>(names.map((name) => [name, []]));
    await withContestants(stage, names, mix, async (contestants) => {
      for (let turn = 0; turn < count * names.length; turn += 1) {
        const shift = round + turn + Math.floor(turn / names.length);
        const name = names[shift % names.length] as ContestantName;
        turns.get(name)?.push(await measure(contestants.get(name) as Contestant));
      }
    });
    for (const [name, parts] of turns) conclude(stage, results, round, name, merge(parts), show);
  }
  return results;
}

/** Measures all contestants in turn, of which only the measured one is alive: for percentiles. */
export async function oneAtATime<T>(
  stage: Stage,
  names: readonly ContestantName[],
  mix: Mix,
  measure: (contestant: Contestant, round: number) => Promise<T>,
  show: (result: T) => string,
): Promise<Results<T>> {
  const results = new Map<string, T[]>(names.map((name) => [name, []]));
  for (let round = 0; round < stage.options.rounds; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(round + turn) % names.length] as ContestantName;
      const work = (contestants: ReadonlyMap<string, Contestant>) =>
        measure(contestants.get(name) as Contestant, round);
      conclude(stage, results, round, name, await withContestants(stage, [name], mix, work), show);
    }
  }
  return results;
}

function conclude<T>(
  { say, options }: Stage,
  results: ReadonlyMap<string, T[]>,
  round: number,
  name: string,
  result: T,
  show: (result: T) => string,
): void {
  results.get(name)?.push(result);
  say(`round ${round + 1} of ${options.rounds}, ${name}: ${show(result)}`);
}

/** The rounds, from 1, in which the host stood still while one of the contestants was measured. */
export function disturbedRounds(results: Results<{ readonly host: HostNoise }>): number[] {
  const rounds = [...results.values()].flatMap((each) =>
    each.flatMap(({ host }, at) => (isDisturbed(host) ? [at + 1] : [])),
  );
  return [...new Set(rounds)].sort((a, b) => a - b);
}

/** The ratio of two contestants' figures per round. Empty when either did not take part. */
export function ratios<T>(results: Results<T>, over: string, under: string, figure: (result: T) => number): number[] {
  const [above, below] = [results.get(over), results.get(under)];
  if (!above || !below) return [];
  return above.map((result, round) => figure(result) / figure(below[round] as T));
}
