import type { Mix } from '../generator/mix.ts';
import { Contestant, type ContestantName } from '../machine/contestant.ts';
import { warmUp } from './measure.ts';
import type { Stage } from './scenario.ts';

/** What was measured of each contestant, a value per round. */
export type Results<T> = ReadonlyMap<string, readonly T[]>;

/** Starts and warms up contestants, calls `work` with them, and always stops them. */
async function withContestants<T>(
  stage: Stage,
  names: readonly ContestantName[],
  mix: Mix,
  work: (contestants: readonly Contestant[]) => Promise<T>,
): Promise<T> {
  const contestants: Contestant[] = [];
  try {
    for (const name of names) {
      const contestant = await Contestant.start(name);
      contestants.push(contestant);
      await warmUp(stage, contestant, mix);
    }
    return await work(contestants);
  } finally {
    await Promise.all(contestants.map((contestant) => contestant.stop()));
  }
}

/** The same with one contestant, by default the service. */
export function withOne<T>(
  stage: Stage,
  mix: Mix,
  work: (contestant: Contestant) => Promise<T>,
  name: ContestantName = 'service',
): Promise<T> {
  return withContestants(stage, [name], mix, ([contestant]) => work(contestant!));
}

export interface Rounds<T> {
  /** Those of them that were asked for are measured. */
  readonly contestants: readonly ContestantName[];
  readonly mix: Mix;
  readonly measure: (contestant: Contestant, round: number) => Promise<T>;
  /** The line of progress. */
  readonly show: (result: T) => string;
  /** A round is divided into so many turns of each contestant, whose results are merged. */
  readonly turns?: { readonly count: number; readonly merge: (turns: readonly T[]) => T };
  /** Only the measured contestant is alive: for percentiles. */
  readonly isAlone?: boolean;
}

/**
 * Measures all contestants in turn, A B C, B C A, C A B and so on, so that disturbances of the machine affect all alike
 * and each contestant has changing predecessors. A round of several short turns evens out disturbances of a few
 * seconds. Every round starts its processes anew, because one process in some forty is much slower than its twins.
 */
export async function inRounds<T>(stage: Stage, rounds: Rounds<T>): Promise<Results<T>> {
  const { mix, measure, show, isAlone, turns = { count: 1, merge: ([only]: readonly T[]) => only as T } } = rounds;
  const { options, say } = stage;
  const names = rounds.contestants.filter((name) => options.contestants.includes(name));
  const results = new Map<string, T[]>(names.map((name) => [name, []]));
  for (let round = 0; round < options.rounds; round += 1) {
    const measured = new Map<string, T[]>(names.map((name) => [name, []]));
    for (const group of isAlone ? rotate(names, round).map((name) => [name]) : [names]) {
      await withContestants(stage, group, mix, async (contestants) => {
        for (let turn = 0; turn < turns.count; turn += 1) {
          for (const contestant of rotate(contestants, round + turn)) {
            measured.get(contestant.name)?.push(await measure(contestant, round));
          }
        }
      });
    }
    for (const [name, parts] of measured) {
      const merged = turns.merge(parts);
      results.get(name)?.push(merged);
      say(`round ${round + 1} of ${options.rounds}, ${name}: ${show(merged)}`);
    }
  }
  return results;
}

function rotate<T>(items: readonly T[], by: number): T[] {
  const shift = by % Math.max(1, items.length);
  return [...items.slice(shift), ...items.slice(0, shift)];
}

/** The same rounds, of whose results a part is taken. */
export function partOf<T, Part>(results: Results<T>, part: (result: T) => Part): Results<Part> {
  return new Map([...results].map(([name, rounds]) => [name, rounds.map(part)]));
}

/** The rounds, from 1, in which the host stood still while one of the contestants was measured. */
export function disturbedRounds(...all: Results<{ readonly isDisturbed: boolean }>[]): number[] {
  const rounds = all.flatMap((results) => [...results.values()]);
  const numbers = rounds.flatMap((each) => each.flatMap(({ isDisturbed }, at) => (isDisturbed ? [at + 1] : [])));
  return [...new Set(numbers)].sort((a, b) => a - b);
}

/** The ratio of two contestants' figures per round. Empty when either did not take part. */
export function ratios<T>(results: Results<T>, over: string, under: string, figure: (result: T) => number): number[] {
  const [above, below] = [results.get(over), results.get(under)];
  if (!above || !below) return [];
  return above.map((result, round) => figure(result) / figure(below[round] as T));
}
