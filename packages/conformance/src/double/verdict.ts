import { refuse } from '@loyalty/contract/errors';
import { attemptRuleOf, RULES } from './attempt-rule.ts';
import { basketFaultsOf, showsOutcome } from './basket-faults.ts';
import { type Calculation, calculationsOf } from './calculation.ts';
import { connectionFindingOf } from './connection-faults.ts';
import { countAttempts, FAULTS, type Fault, type FaultName, faultOf } from './faults.ts';
import type { BasketMisbehaviour, Misbehaviour, SaleMisbehaviour } from './misbehaviour.ts';
import type { Run } from './run.ts';
import { saleFaultsOf } from './sale-faults.ts';
import { MISBEHAVIOURS } from './table.ts';

/** The row of requests that met no misbehaviour. */
const HONEST = 'honest';
/** The row that shows every retry, by which others are judged. */
const EVERY_RETRY = 'tls-cut-handshake';

export interface RowVerdict {
  readonly code: string;
  readonly endpoint: 'basket' | 'sale' | 'both';
  readonly verdict: 'right' | 'wrong' | 'not played';
  /** How many attempts of a call are right and when, how many were seen, and of how many calls. */
  readonly attempts: { readonly right: string; readonly seen: number; readonly calls: number };
  /** Why, in sentences with the place of the rule. */
  readonly why: string;
  readonly faults: readonly Fault[];
}

export interface Verdict {
  /** `incomplete`: nothing is wrong, and rows were not played or the record is full. */
  readonly verdict: 'right' | 'wrong' | 'incomplete';
  readonly counts: { readonly right: number; readonly wrong: number; readonly notPlayed: number };
  /** The rows of each kind of fault that was found. */
  readonly faults: Partial<Record<FaultName, readonly string[]>>;
  readonly rows: readonly RowVerdict[];
}

/** The double answers so when the basket lacks what its row spoils, and then nothing was shown. */
const NEEDS_STATUS = refuse('invalid_request').status;
const LACKED = 'The basket lacked what this row needs to spoil: see how it is provoked.';
/** Its attempts are judged, but nobody can see what the caller made of the answer. */
const UNSOLD = 'Each calculation was superseded or cancelled, which shows no outcome: sell one of this row.';

/** What one call of a row has shown. */
interface Shown {
  readonly seen: number;
  readonly faults: readonly Fault[];
  /** Why it does not count as played. */
  readonly unshown?: string | undefined;
}

/** What all calls of a row have shown. */
interface Finding {
  readonly isPlayed: boolean;
  readonly calls: number;
  readonly seen: number;
  readonly faults: readonly Fault[];
  readonly unshown?: string | undefined;
  readonly remark?: string | undefined;
}

/** Judges the attempts of a caller by what reached the double, row by row. */
export function verdictOf(run: Run): Verdict {
  const calculations = calculationsOf(run);
  const byBasketRow = Map.groupBy(calculations, ({ basketCode = HONEST }) => basketCode);
  const bySaleRow = Map.groupBy(calculations, ({ saleCode = HONEST }) => saleCode);
  const reused = reusedIds(run);
  const findingOf = (code: string): Finding => {
    const row: Misbehaviour | undefined = MISBEHAVIOURS[code];
    const [basketRow, saleRow] = row?.endpoint === 'sale' ? [undefined, row] : [row, undefined];
    const shown = [
      ...(byBasketRow.get(code) ?? []).flatMap((calculation) => shownByBasket(calculation, basketRow)),
      ...(bySaleRow.get(code) ?? []).flatMap((calculation) => shownByEvents(calculation, saleRow)),
      ...(code === HONEST ? refusedRequests(run) : []),
    ];
    const finding: Finding = {
      isPlayed: shown.some(({ seen, unshown }) => seen > 0 && unshown === undefined),
      calls: shown.filter(({ seen }) => seen > 0).length,
      seen: shown.reduce((sum, { seen }) => sum + seen, 0),
      faults: [...shown.flatMap(({ faults }) => faults), ...(reused.get(code) ?? [])],
      unshown: shown.findLast(({ unshown }) => unshown !== undefined)?.unshown,
    };
    if (basketRow?.act.kind !== 'connection') return finding;
    const isRetryShown = () => verdictWordOf(findingOf(EVERY_RETRY)) === 'right';
    const found = connectionFindingOf(run, code, { ...basketRow, act: basketRow.act }, isRetryShown);
    return {
      ...found,
      isPlayed: found.isPlayed && (finding.isPlayed || finding.unshown === undefined),
      faults: [...finding.faults, ...found.faults],
      unshown: finding.unshown,
    };
  };
  const rows = [...Object.keys(MISBEHAVIOURS), HONEST].map((code) => rowVerdictOf(code, findingOf(code)));
  // A caller need not have made a call without a misbehaviour.
  const asked = rows.filter(({ code, verdict }) => code !== HONEST || verdict !== 'not played');
  return sumUp(asked, run.isFull);
}

function shownByBasket(calculation: Calculation, row: BasketMisbehaviour | undefined): Shown[] {
  const { baskets } = calculation;
  if (baskets.length === 0) return [];
  const isLacking = row?.act.kind === 'body' && baskets[0]?.status === NEEDS_STATUS;
  if (isLacking) return [{ seen: 0, faults: [], unshown: LACKED }];
  const unshown = row && !showsOutcome(calculation) ? UNSOLD : undefined;
  return [{ seen: baskets.length, faults: basketFaultsOf(calculation, row), unshown }];
}

function shownByEvents(calculation: Calculation, row: SaleMisbehaviour | undefined): Shown[] {
  const seen = calculation.events.length;
  return seen === 0 ? [] : [{ seen, faults: saleFaultsOf(calculation, row) }];
}

/** A request that the double refuses breaks the contract, and a refused one is never repeated as it was. */
function refusedRequests({ seen }: Run): Shown[] {
  return seen.flatMap(({ refused, path, requestId = 'none', idempotencyKey }) => {
    if (refused === undefined) return [];
    const sentence = `${path} was refused: ${refused} (request ID ${requestId}).`;
    return [{ seen: 1, faults: [faultOf('refused', sentence, { idempotencyKey })] }];
  });
}

/** The faults of each row in which an attempt had no request ID of its own. */
function reusedIds({ seen }: Run): Map<string, Fault[]> {
  const used = new Map<string, number>();
  const found = new Map<string, Fault[]>();
  for (const { requestId, code = HONEST, idempotencyKey } of seen) {
    const id = requestId?.toLowerCase();
    if (id === undefined) continue;
    const times = (used.get(id) ?? 0) + 1;
    used.set(id, times);
    if (times === 1) continue;
    const sentence = `X-Request-Id ${id} had been used before: ${times} attempts had it so far.`;
    const fault = faultOf('request-id-reused', sentence, { idempotencyKey });
    found.set(code, [...(found.get(code) ?? []), fault]);
  }
  return found;
}

function verdictWordOf({ isPlayed, faults }: Finding): RowVerdict['verdict'] {
  if (faults.length > 0) return 'wrong';
  return isPlayed ? 'right' : 'not played';
}

function rowVerdictOf(code: string, finding: Finding): RowVerdict {
  const { calls, seen, faults, unshown, remark } = finding;
  const row = MISBEHAVIOURS[code];
  const rule = row && attemptRuleOf(row);
  const right = rule?.when ?? 'One attempt. An answer is not followed by a retry.';
  const verdict = verdictWordOf(finding);
  const why = {
    wrong: sentencesOf(faults),
    right: `${countAttempts(seen)} seen${calls > 1 ? ` of ${calls} calls` : ''}. ${remark ?? right} (${rule?.rule ?? RULES.patience})`,
    'not played': remark ?? unshown ?? 'No call met this row.',
  }[verdict];
  return { code, endpoint: row?.endpoint ?? 'both', verdict, attempts: { right, seen, calls }, why, faults };
}

/** A fault that is found a hundred times is read a few times. */
const MOST_SENTENCES = 3;

function sentencesOf(faults: readonly Fault[]): string {
  const sentences = new Set(faults.map(({ sentence, rule }) => `${sentence} (${rule})`));
  return [...sentences].slice(0, MOST_SENTENCES).join(' ');
}

function sumUp(rows: readonly RowVerdict[], isFull: boolean): Verdict {
  const count = (verdict: RowVerdict['verdict']) => rows.filter((row) => row.verdict === verdict).length;
  const counts = { right: count('right'), wrong: count('wrong'), notPlayed: count('not played') };
  const isComplete = counts.notPlayed === 0 && !isFull;
  const found = Object.keys(FAULTS).map((name): [string, string[]] => [
    name,
    rows.filter(({ faults }) => faults.some(({ fault }) => fault === name)).map(({ code }) => code),
  ]);
  return {
    verdict: counts.wrong > 0 ? 'wrong' : isComplete ? 'right' : 'incomplete',
    counts,
    faults: Object.fromEntries(found.filter(([, codes]) => codes.length > 0)),
    rows,
  };
}

/** The verdict for people: the sum in one line, then the wrong rows, the right ones, and those that were not played. */
export function renderVerdict({ verdict, counts, rows }: Verdict): string {
  const sum = `Verdict: ${verdict}. ${counts.right} rows right, ${counts.wrong} wrong, ${counts.notPlayed} not played.\n`;
  const blocks = (['wrong', 'right', 'not played'] as const).map((kind) =>
    rows
      .filter((row) => row.verdict === kind)
      .map((row) => `${kind.padEnd(10)}  ${row.code}: ${row.why}\n`)
      .join(''),
  );
  return [sum, ...blocks.filter((block) => block !== '')].join('\n');
}
