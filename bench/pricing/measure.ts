import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Measures CPU time, because wall-clock time on a shared machine depends on the other processes. Compared contenders
 * are measured in turns of one run, so that a slow minute affects all of them.
 */

/** A compared contender. `run` receives a running number, by which it chooses its basket. */
export interface Contender {
  readonly name: string;
  run(turn: number): unknown;
}

export interface Turns {
  readonly rounds: number;
  /** A round consists of this many short turns of every contender, so that a short disturbance affects all of them. */
  readonly turnsPerRound: number;
  /** The least CPU time of one turn. */
  readonly cpuMs: number;
  /**
   * Runs between two readings of the clock; a multiple of the number of baskets, so that each basket counts equally.
   */
  readonly batch: number;
}

const US_PER_MS = 1000;
/** Rounds before the measurement: the search's code is fully optimised only after some thousand baskets. */
export const WARM_UP_ROUNDS = 5;

/** Measures CPU-µs of one run: for each contender one figure per round. The order changes from turn to turn. */
export async function measureInTurns(
  contenders: readonly Contender[],
  turns: Turns,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const figures = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  for (let round = -WARM_UP_ROUNDS; round < turns.rounds; round += 1) {
    const tallies = contenders.map(() => ({ runs: 0, spentUs: 0 }));
    for (let turn = 0; turn < turns.turnsPerRound; turn += 1) {
      for (let place = 0; place < contenders.length; place += 1) {
        const index = (place + turn) % contenders.length;
        await takeTurn(contenders[index] as Contender, tallies[index] as Tally, turns);
      }
    }
    if (round < 0) continue;
    contenders.forEach(({ name }, index) => {
      const { runs, spentUs } = tallies[index] as Tally;
      figures.get(name)?.push(spentUs / runs);
    });
  }
  return figures;
}

/** The figures of one contender. */
export function figuresOf(figures: ReadonlyMap<string, readonly number[]>, name: string): readonly number[] {
  const found = figures.get(name);
  if (!found) throw new Error(`${name} was not measured`);
  return found;
}

/** The cost ratio of `dividend` to `divisor`, round by round. */
export function ratios(dividend: readonly number[], divisor: readonly number[]): number[] {
  return dividend.map((value, round) => value / (divisor[round] as number));
}

/** The median, used to describe shapes; promises use the worse end. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

interface Tally {
  runs: number;
  spentUs: number;
}

async function takeTurn({ run }: Contender, tally: Tally, { cpuMs, batch }: Turns): Promise<void> {
  // Each contender pays for its garbage in its own turn. Only young garbage is collected: a full collection made two
  // engines two to three times slower here, probably because compiled code is dropped with the shapes of dead objects.
  collectGarbage();
  const begun = process.cpuUsage();
  let runs = 0;
  let spentUs = 0;
  do {
    for (let index = 0; index < batch; index += 1) {
      const result = run(runs + index);
      if (result instanceof Promise) await result;
    }
    runs += batch;
    const { user, system } = process.cpuUsage(begun);
    spentUs = user + system;
  } while (spentUs < cpuMs * US_PER_MS);
  tally.runs += runs;
  tally.spentUs += spentUs;
}

let gc: ((options: { type: 'minor' }) => void) | undefined;

function collectGarbage(): void {
  if (!gc) {
    setFlagsFromString('--expose-gc');
    gc = runInNewContext('gc') as (options: { type: 'minor' }) => void;
  }
  gc({ type: 'minor' });
}
