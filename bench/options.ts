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

export const USAGE = `npm run bench [-- [scenario …] [options]]
  --short              one round of a second each: shows that everything works, its figures mean nothing
  --rounds N           rounds over all contestants (${FULL.rounds})
  --seconds N          length of one measurement (${FULL.seconds})
  --connections N      connections of the closed loop (${CONNECTIONS})
  --contestants a,b    of ${CONTESTANTS.join(', ')} (all)
  --calls N            calls of the soak (${FULL.calls})`;

/** Reads the arguments. Throws with one line that names what cannot be used. */
export function readOptions(args: readonly string[]): Options {
  const scenarios: string[] = [];
  const given = new Map<string, string>();
  let isShort = false;
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] as string;
    if (arg === '--short') isShort = true;
    else if (!arg.startsWith('--')) scenarios.push(arg);
    else {
      index += 1;
      given.set(arg, args[index] ?? '');
    }
  }
  const defaults = isShort ? SHORT : FULL;
  const options = {
    scenarios,
    isShort,
    rounds: takeNumber(given, '--rounds', defaults.rounds),
    seconds: takeNumber(given, '--seconds', defaults.seconds),
    connections: takeNumber(given, '--connections', CONNECTIONS),
    calls: takeNumber(given, '--calls', defaults.calls),
    contestants: takeContestants(given),
    warmUpSeconds: defaults.warmUpSeconds,
  };
  const [unknown] = given.keys();
  if (unknown !== undefined) throw new Error(`${unknown} is no option.\n${USAGE}`);
  return options;
}

function takeNumber(given: Map<string, string>, name: string, fallback: number): number {
  const text = given.get(name);
  given.delete(name);
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > MAX_NUMBER) {
    throw new Error(`${name}: found "${text}", allowed: a whole number from 1`);
  }
  return value;
}

function takeContestants(given: Map<string, string>): ContestantName[] {
  const text = given.get('--contestants');
  given.delete('--contestants');
  if (text === undefined) return [...CONTESTANTS];
  return text.split(',').map((name) => {
    const known = CONTESTANTS.find((contestant) => contestant === name);
    if (!known) throw new Error(`--contestants: found "${name}", allowed: ${CONTESTANTS.join(', ')}`);
    return known;
  });
}
