import { Command } from '../packages/tools/src/command-line/strict.ts';
import { CONTESTANTS, type ContestantName } from './machine/contestant.ts';

/** The checked options of the command line. */
export interface Options {
  /** Names of scenarios; empty means all except those on demand. */
  readonly scenarios: readonly string[];
  /** True for the run without a name: what a visitor wants to know, in ten minutes. */
  readonly isVisit: boolean;
  readonly rounds: number;
  /** Length of one measurement; some scenarios take a multiple of it. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly connections: number;
  readonly contestants: readonly ContestantName[];
  /** True for a run that only shows that everything works; its figures have no meaning. */
  readonly isShort: boolean;
  /** Number of calls of the soak. */
  readonly calls: number;
}

const FULL = { rounds: 5, seconds: 10, warmUpSeconds: 4, calls: 1_000_000 };
/** Three rounds show how far apart they lie. */
const VISIT = { rounds: 3, seconds: 4, warmUpSeconds: 3, calls: 1_000_000 };
const VISITED = ['lines-20', 'replay-20', 'latency', 'overload'];
const VISITED_CONTESTANTS: readonly ContestantName[] = ['service', 'floor', 'fastify'];
const SHORT = { rounds: 1, seconds: 1, warmUpSeconds: 0.5, calls: 4000 };
const CONNECTIONS = 64;
const MAX_NUMBER = 100_000_000;

/** The arguments as the command line passes them. */
export interface BenchArguments {
  readonly all?: boolean;
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
    .argument('[scenario...]', `those of bench/README.md; without any: ${VISITED.join(', ')}, in about nine minutes`)
    .option('--all', 'every scenario but those that are run on demand only, with all contestants: half an hour')
    .option('--short', 'one round of a second each: shows that everything works, its figures mean nothing')
    .option('--rounds <n>', `rounds over all contestants (${VISIT.rounds}; of named scenarios ${FULL.rounds})`)
    .option('--seconds <n>', `length of one measurement (${VISIT.seconds}; of named scenarios ${FULL.seconds})`)
    .option('--connections <n>', `connections of the closed loop (${CONNECTIONS})`)
    .option(
      '--contestants <a,b>',
      `of ${CONTESTANTS.join(', ')} (${VISITED_CONTESTANTS.join(',')}; of named scenarios all)`,
    )
    .option('--calls <n>', `calls of the soak (${FULL.calls})`);
}

/** Checks the arguments. Throws with one line that names an unusable one. */
export function readOptions(scenarios: readonly string[], given: BenchArguments): Options {
  const isShort = given.short ?? false;
  const isVisit = scenarios.length === 0 && given.all !== true;
  if (given.all === true && scenarios.length > 0) throw new Error('--all: leave the names of scenarios out');
  const defaults = isShort ? SHORT : isVisit ? VISIT : FULL;
  return {
    scenarios: isVisit ? VISITED : scenarios,
    isVisit,
    isShort,
    rounds: readNumber('--rounds', given.rounds) ?? defaults.rounds,
    seconds: readNumber('--seconds', given.seconds) ?? defaults.seconds,
    connections: readNumber('--connections', given.connections) ?? CONNECTIONS,
    calls: readNumber('--calls', given.calls) ?? defaults.calls,
    contestants: readContestants(given.contestants, isVisit ? VISITED_CONTESTANTS : CONTESTANTS),
    warmUpSeconds: defaults.warmUpSeconds,
  };
}

/** Parses a whole number from 1; undefined when the option is not given. */
export function readNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > MAX_NUMBER) {
    throw new Error(`${name}: found "${text}", allowed: a whole number from 1`);
  }
  return value;
}

function readContestants(text: string | undefined, usual: readonly ContestantName[]): ContestantName[] {
  if (text === undefined) return [...usual];
  return text.split(',').map((name) => {
    const known = CONTESTANTS.find((contestant) => contestant === name);
    if (!known) throw new Error(`--contestants: found "${name}", allowed: ${CONTESTANTS.join(', ')}`);
    return known;
  });
}
