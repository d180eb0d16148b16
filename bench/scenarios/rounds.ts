import type { Mix } from '../load/mix.ts';
import { Contestant, type ContestantName, type ContestantOptions } from '../machine/contestant.ts';
import { warmUp } from './measure.ts';
import type { Stage } from './scenario.ts';

/** A contestant with its own label; the same program may take part twice with different options. */
export interface Entrant {
  readonly label: string;
  readonly name: ContestantName;
  readonly options?: ContestantOptions;
}

export type Results<T> = ReadonlyMap<string, readonly T[]>;

/** Selects the requested contestants among those of a scenario. */
export function entrantsOf(stage: Stage, names: readonly ContestantName[]): Entrant[] {
  return names.filter((name) => stage.options.contestants.includes(name)).map((name) => ({ label: name, name }));
}

/** Starts and warms up the entrants, calls `work` with them, and always stops them. */
export async function withContestants<T>(
  stage: Stage,
  entrants: readonly Entrant[],
  mix: Mix,
  work: (contestants: ReadonlyMap<string, Contestant>) => Promise<T>,
): Promise<T> {
  const contestants = new Map<string, Contestant>();
  try {
    for (const { label, name, options } of entrants) {
      stage.say(`starting ${label} and warming it up`);
      const contestant = await Contestant.start(name, options);
      contestants.set(label, contestant);
      await warmUp(stage, contestant, mix);
    }
    return await work(contestants);
  } finally {
    await Promise.all([...contestants.values()].map((contestant) => contestant.stop()));
  }
}

/** The division of a round: the number of turns, and the function that merges their results. */
export interface Turns<T> {
  readonly count: number;
  readonly merge: (turns: readonly T[]) => T;
}

/**
 * Measures all contestants in turn, A B C, B C A, C A B and so on, so that disturbances of the machine affect all alike
 * and each contestant has changing predecessors. A round of several short turns evens out disturbances of a few
 * seconds.
 */
export async function inRounds<T>(
  stage: Stage,
  contestants: ReadonlyMap<string, Contestant>,
  measure: (contestant: Contestant, label: string, round: number) => Promise<T>,
  show: (result: T) => string,
  { count, merge }: Turns<T> = { count: 1, merge: ([only]) => only as T },
): Promise<Results<T>> {
  const labels = [...contestants.keys()];
  const results = new Map<string, T[]>(labels.map((label) => [label, []]));
  for (let round = 0; round < stage.options.rounds; round += 1) {
    const turns = new Map<string, T[]>(labels.map((label) => [label, []]));
    for (let turn = 0; turn < count * labels.length; turn += 1) {
      const shift = round + turn + Math.floor(turn / labels.length);
      const label = labels[shift % labels.length] as string;
      turns.get(label)?.push(await measure(contestants.get(label) as Contestant, label, round));
    }
    for (const [label, parts] of turns) {
      const result = merge(parts);
      results.get(label)?.push(result);
      stage.say(`round ${round + 1} of ${stage.options.rounds}, ${label}: ${show(result)}`);
    }
  }
  return results;
}

/** The ratio of two entrants' figures per round. Empty when either did not take part. */
export function ratios<T>(results: Results<T>, over: string, under: string, figure: (result: T) => number): number[] {
  const [above, below] = [results.get(over), results.get(under)];
  if (!above || !below) return [];
  return above.map((result, round) => figure(result) / figure(below[round] as T));
}
