import { Command } from '../src/tools/command-line/strict.ts';
import { CONTESTANTS, type ContestantName } from './machine/contestant.ts';

/** What the command line asks for. */
export interface Options {
  /** Names of scenarios; empty: all but those that are run on demand only. */
  readonly scenarios: readonly string[];
  readonly rounds: number;
  /** Length of one measurement; scenarios that need more take a multiple of it. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly connections: number;
  readonly contestants: readonly ContestantName[];
  /** Only shows that everything works: its figures mean nothing. */
  readonly isShort: boolean;
  /** For the soak. */
  readonly calls: number;
}

const FULL = { rounds: 5, seconds: 10, warmUpSeconds: 4, calls: 1_000_000 };
const SHORT = { rounds: 1, seconds: 1, warmUpSeconds: 0.5, calls: 4000 };
const CONNECTIONS = 64;
const MAX_NUMBER = 100_000_000;

/** As the command line has them. */
export interface BenchArguments {
  readonly short?: boolean;
  readonly rounds?: string;
  readonly seconds?: string;
  readonly connections?: string;
  readonly contestants?: string;
  readonly calls?: string;
}

/** Names, options and help of the benchmark. */
export function benchCommand(): Command {
  return new Command('npm run bench --')
    .description('start the contestants, show that they answer alike, and measure them in turn')
    .argument('[scenario...]', 'those of bench/README.md; without any: all but those that are run on demand only')
    .option('--short', 'one round of a second each: shows that everything works, its figures mean nothing')
    .option('--rounds <n>', `rounds over all contestants (${FULL.rounds})`)
    .option('--seconds <n>', `length of one measurement (${FULL.seconds})`)
    .option('--connections <n>', `connections of the closed loop (${CONNECTIONS})`)
    .option('--contestants <a,b>', `of ${CONTESTANTS.join(', ')} (all)`)
    .option('--calls <n>', `calls of the soak (${FULL.calls})`);
}

/** Checks the arguments. Throws with one line that names what cannot be used. */
export function readOptions(scenarios: readonly string[], given: BenchArguments): Options {
  const isShort = given.short ?? false;
  const defaults = isShort ? SHORT : FULL;
  return {
    scenarios,
    isShort,
    rounds: readNumber('--rounds', given.rounds) ?? defaults.rounds,
    seconds: readNumber('--seconds', given.seconds) ?? defaults.seconds,
    connections: readNumber('--connections', given.connections) ?? CONNECTIONS,
    calls: readNumber('--calls', given.calls) ?? defaults.calls,
    contestants: readContestants(given.contestants),
    warmUpSeconds: defaults.warmUpSeconds,
  };
}

/** A whole number from 1; undefined when the option is not given. */
export function readNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > MAX_NUMBER) {
    throw new Error(`${name}: found "${text}", allowed: a whole number from 1`);
  }
  return value;
}

function readContestants(text: string | undefined): ContestantName[] {
  if (text === undefined) return [...CONTESTANTS];
  return text.split(',').map((name) => {
    const known = CONTESTANTS.find((contestant) => contestant === name);
    if (!known) throw new Error(`--contestants: found "${name}", allowed: ${CONTESTANTS.join(', ')}`);
    return known;
  });
}
