import { Baskets, saleOf } from './baskets.ts';
import { ALL_CHECKS } from './checks/all.ts';
import { laterChecks } from './checks/later.ts';
import { makeEarlyCalls } from './early.ts';
import type { Exchange } from './exchange.ts';
import { oneDiscountCode, promisedTwentyPercent } from './judge/run-rules.ts';
import { STANDING_RULES, type StandingRule, TLS_RULES } from './judge/standing.ts';
import { type KitOptions, UsageError } from './options.ts';
import { type Check, Session } from './session.ts';
import { BASKET_PATH, type Listener, SALE_PATH, Target } from './target.ts';
import { isTooMuchUntold, measure, type TimingRow } from './timings.ts';
import { type Versions, versions } from './versions.ts';

/** One row of the report. */
export interface CheckResult {
  readonly name: string;
  readonly section: string;
  readonly title: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** The findings: for a failure the faults, one sentence each. */
  readonly seen: readonly string[];
}

/** `partial`: nothing failed, but not every rule was put to the test. */
export type Verdict = 'conforms' | 'partial' | 'does not conform';

/** A check that says nothing about the deployment, because it did not run or had nothing to judge. */
export interface LeftOut {
  readonly name: string;
  readonly because: string;
}

/** The result of a run. It holds neither the secret nor a body. */
export interface Certificate {
  readonly baseUrl: string;
  readonly venueId: string;
  readonly baxId: string;
  readonly currency: string;
  /** The command line without its secrets. */
  readonly command: string;
  readonly versions: Versions;
  readonly startedAt: string;
  readonly durationSeconds: number;
  readonly requests: number;
  readonly verdict: Verdict;
  readonly leftOut: readonly LeftOut[];
  readonly results: readonly CheckResult[];
  readonly timings: readonly TimingRow[];
}

/** People read the report, and the first faults of a rule tell as much as the hundredth. */
const MAX_SEEN = 6;

/** Nothing answers at the deployment's address, and every check would only find that again. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/** The run was told to end before it was over. What it held is free again. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
  override readonly message = 'the run was told to end';
}

/**
 * Runs every check that the options ask for and returns the findings. Throws `UsageError` when they ask for one that there
 * is not, and `Unreachable` when the first call has no answer; every later failure of the deployment is a finding. With `stop` it ends early and throws `Stopped`.
 */
export async function certify(
  options: KitOptions,
  onResult: (result: CheckResult) => void = () => {},
  stop?: AbortSignal,
): Promise<Certificate> {
  const startedAt = new Date();
  const isWanted = (name: string): boolean =>
    options.only.length === 0 || options.only.some((start) => name.startsWith(start));
  const names = [...Object.keys(ALL_CHECKS), ...TIMING_ROWS.map(({ name }) => name)];
  assertKnown(options.only, names);
  const watch = new Watch(options);
  const target = new Target(options, watch);
  const baskets = new Baskets(options);
  const holds = new Set<string>();
  stop?.addEventListener('abort', () => target.stop());
  const results: CheckResult[] = [];
  const add = (result: CheckResult): void => {
    results.push(result);
    onResult(result);
  };
  try {
    await target.send(BASKET_PATH, baskets.of()).catch((error: Error) => {
      throw new Unreachable(`nothing answers at ${options.baseUrl.origin}: ${error.message}`, { cause: error });
    });
    const early = Object.keys(laterChecks).some(isWanted)
      ? await makeEarlyCalls(options, baskets, target).catch(() => undefined)
      : undefined;
    for (const [name, check] of Object.entries(ALL_CHECKS).filter(([name]) => isWanted(name))) {
      if (stop?.aborted) throw new Stopped();
      const session = new Session(options, baskets, target, holds, early);
      add({ name, section: check.section, title: check.title, ...(await runCheck(check, session)) });
    }
    if (stop?.aborted) throw new Stopped();
    const isTimed = TIMING_ROWS.some(({ name }) => isWanted(name));
    const { timings, rows } = isTimed ? await runTimings(options, baskets, target) : { timings: [], rows: [] };
    for (const row of rows) if (isWanted(row.name)) add(row);
    // The standing rules judge every exchange, whichever check sent it, and are always part of the report.
    for (const result of watch.results()) add(result);
    const leftOut = [
      ...names.filter((name) => !isWanted(name)).map((name) => ({ name, because: 'not asked for by --only' })),
      ...results.flatMap(({ name, outcome, seen }) =>
        outcome === 'skipped' ? [{ name, because: seen.join('; ') }] : [],
      ),
    ];
    const { baseUrl, venueId, baxId, currency } = options;
    const durationSeconds = Math.round((Date.now() - startedAt.getTime()) / 100) / 10;
    return {
      baseUrl: `${baseUrl.origin}${baseUrl.pathname}`,
      venueId,
      baxId,
      currency,
      command: options.command,
      versions: versions(),
      startedAt: startedAt.toISOString(),
      durationSeconds,
      requests: watch.count,
      verdict: verdictOf(results, leftOut),
      leftOut,
      results,
      timings,
    };
  } finally {
    // None is left held, however the run ends; what cannot be cancelled expires.
    for (const calculationId of holds)
      await target.send(SALE_PATH, saleOf(calculationId, 'cancelled'), { isLast: true }).catch(() => undefined);
    target.close();
  }
}

/** A misspelt name would run nothing, and find no fault. */
function assertKnown(only: readonly string[], names: readonly string[]): void {
  const unknown = only.find((start) => start === '' || !names.some((name) => name.startsWith(start)));
  if (unknown === undefined) return;
  const groups = new Set(names.map((name) => name.split('.')[0]));
  throw new UsageError(
    `--only: found ${JSON.stringify(unknown)}, allowed: how the name of a check begins: ${[...groups].join(', ')}`,
  );
}

function verdictOf(results: readonly CheckResult[], leftOut: readonly LeftOut[]): Verdict {
  if (results.some(({ outcome }) => outcome === 'failed')) return 'does not conform';
  return leftOut.length === 0 ? 'conforms' : 'partial';
}

type Outcome = Pick<CheckResult, 'outcome' | 'seen'>;

async function runCheck(check: Check, session: Session): Promise<Outcome> {
  const skipped = check.skippedBecause?.(session.options);
  if (skipped !== undefined) return { outcome: 'skipped', seen: [skipped] };
  try {
    await check.run(session);
  } catch (error) {
    session.failures.push(`no answer: ${(error as Error).message}`);
  }
  if (session.failures.length > 0) return { outcome: 'failed', seen: shorten(session.failures) };
  if (session.notShown !== undefined) return { outcome: 'skipped', seen: [session.notShown] };
  return { outcome: 'passed', seen: shorten(countEqual(session.seen)) };
}

const TIMING_ROWS = [
  { name: 'timings.targets', section: '4.9, 8', title: 'Response times: p95 ≤ 150 ms, p99 ≤ 250 ms' },
  {
    name: 'timings.server-timing',
    section: '4',
    title: 'Server-Timing tells all of the work, as far as the caller’s clock shows',
  },
] as const;

async function runTimings(
  options: KitOptions,
  baskets: Baskets,
  target: Target,
): Promise<{ timings: TimingRow[]; rows: CheckResult[] }> {
  const [targets, told] = TIMING_ROWS;
  try {
    const { rows: timings, unanswered, untoldMs } = await measure(target, baskets, options.timingCalls);
    const seen = timings
      .filter(({ measured }) => measured === 'round trip')
      .map(({ lines, p95, p99 }) => `${lines} lines: p95 ${p95} ms, p99 ${p99} ms`);
    if (unanswered > 0) seen.push(`${unanswered} calls were not answered with a basket`);
    const isPassed = unanswered === 0 && timings.every(({ isWithinTargets }) => isWithinTargets);
    const words = `${Math.round(untoldMs)} ms of a usual call are neither the way nor in Server-Timing`;
    return {
      timings,
      rows: [
        { ...targets, outcome: isPassed ? 'passed' : 'failed', seen },
        { ...told, outcome: isTooMuchUntold(untoldMs) ? 'failed' : 'passed', seen: [words] },
      ],
    };
  } catch (error) {
    const seen = [`no answer: ${(error as Error).message}`];
    return { timings: [], rows: TIMING_ROWS.map((row) => ({ ...row, outcome: 'failed', seen })) };
  }
}

/** Holds every answer of the run against the standing rules, and counts the connections that broke. */
class Watch implements Listener {
  count = 0;
  readonly #broken: string[] = [];
  readonly #rows: ReadonlyMap<StandingRule, { judged: number; faults: string[] }>;

  constructor({ members, baseUrl }: KitOptions) {
    const ofTls = baseUrl.protocol === 'https:' ? TLS_RULES : [];
    const rules = [...STANDING_RULES, ...ofTls, promisedTwentyPercent(members.twenty), oneDiscountCode()];
    this.#rows = new Map(rules.map((rule) => [rule, { judged: 0, faults: [] }]));
  }

  readonly onExchange = (exchange: Exchange): void => {
    this.count += 1;
    for (const [rule, row] of this.#rows) {
      const faults = rule.faultsOf(exchange);
      if (faults === undefined) continue;
      row.judged += 1;
      for (const fault of faults) row.faults.push(`${exchange.status} to ${exchange.path}: ${fault}`);
    }
  };

  readonly onBroken = (path: string, reason: string): void => {
    this.#broken.push(`${path}: ${reason}`);
  };

  results(): CheckResult[] {
    const connections = {
      name: 'connections.answered',
      section: '3, 4',
      title: 'No connection ended where an answer was due',
    };
    const rows = [...this.#rows].map(([rule, { judged, faults }]) => toResult(rule, judged, faults));
    return [...rows, toResult(connections, this.count, this.#broken)];
  }
}

/** A rule is skipped if the run has no answer that it is about: it was never put to the test. */
function toResult(
  { name, section, title }: Pick<CheckResult, 'name' | 'section' | 'title'>,
  judged: number,
  faults: readonly string[],
): CheckResult {
  if (faults.length > 0) return { name, section, title, outcome: 'failed', seen: shorten(countEqual(faults)) };
  const outcome = judged > 0 ? 'passed' : 'skipped';
  return { name, section, title, outcome, seen: [`${judged} answers judged`] };
}

/** `a, a, b` → `2 × a`, `b`. */
function countEqual(texts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].map(([text, count]) => (count === 1 ? text : `${count} × ${text}`));
}

function shorten(texts: readonly string[]): string[] {
  if (texts.length <= MAX_SEEN) return [...texts];
  return [...texts.slice(0, MAX_SEEN), `and ${texts.length - MAX_SEEN} more`];
}
