import { refuse } from '@loyalty/contract/errors';
import { attemptRuleOf, RULES } from './attempt-rule.ts';
import { basketFaultsOf, showsOutcome } from './basket-faults.ts';
import { calculationsOf } from './calculation.ts';
import { connectionFindingOf } from './connection-faults.ts';
import { countAttempts, FAULT_NAMES, type Fault, type FaultName } from './faults.ts';
import type { BasketMisbehaviour, ConnectionAct, SaleMisbehaviour } from './misbehaviour.ts';
import type { Run, SeenRequest } from './run.ts';
import { saleFaultsOf } from './sale-faults.ts';
import { MISBEHAVIOURS } from './table.ts';

/** The row of requests that met no misbehaviour. */
const HONEST = 'honest';

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

interface Finding {
  isPlayed: boolean;
  calls: number;
  seen: number;
  readonly faults: Fault[];
  /** Why the calls so far have shown nothing. */
  unshown?: string;
  remark?: string;
}

/** Judges the attempts of a caller by what reached the double, row by row. */
export function verdictOf(run: Run): Verdict {
  const findings = new Map<string, Finding>([...Object.keys(MISBEHAVIOURS), HONEST].map((code) => [code, nothing()]));
  const findingOf = (code: string | undefined): Finding => findings.get(code ?? HONEST)!;
  for (const calculation of calculationsOf(run)) {
    const { baskets, events, basketCode, saleCode } = calculation;
    const row = basketRowOf(basketCode);
    const isLacking = row?.act.kind === 'body' && baskets[0]?.status === NEEDS_STATUS;
    const unshown = row && !showsOutcome(calculation) ? UNSOLD : undefined;
    if (isLacking) findingOf(basketCode).unshown = LACKED;
    else add(findingOf(basketCode), baskets.length, basketFaultsOf(calculation, row), unshown);
    add(findingOf(saleCode), events.length, saleFaultsOf(calculation, saleRowOf(saleCode)));
  }
  addRefused(run, findingOf(undefined));
  addReusedIds(run, findingOf);
  for (const [code, row] of connectionRows()) {
    const isRetryShown = () => isRight(findingOf(SHOWN));
    const found = connectionFindingOf(run, code, row, isRetryShown);
    const finding = findingOf(code);
    finding.isPlayed = found.isPlayed && (finding.isPlayed || finding.unshown === undefined);
    finding.seen = found.seen;
    finding.calls = found.calls;
    finding.faults.push(...found.faults);
    if (found.remark !== undefined) finding.remark = found.remark;
  }
  const rows = [...findings].map(([code, finding]) => rowVerdictOf(code, finding));
  // A caller need not have made a call without a misbehaviour.
  const asked = rows.filter(({ code, verdict }) => code !== HONEST || verdict !== 'not played');
  return sumUp(asked, run.isFull);
}

function nothing(): Finding {
  return { isPlayed: false, calls: 0, seen: 0, faults: [] };
}

function add(finding: Finding, seen: number, faults: readonly Fault[], unshown?: string): void {
  if (unshown !== undefined) finding.unshown = unshown;
  else finding.isPlayed ||= seen > 0;
  finding.calls += Number(seen > 0);
  finding.seen += seen;
  finding.faults.push(...faults);
}

function isRight({ isPlayed, faults }: Finding): boolean {
  return isPlayed && faults.length === 0;
}

function basketRowOf(code = HONEST): BasketMisbehaviour | undefined {
  const row = MISBEHAVIOURS[code];
  return row?.endpoint === 'basket' ? row : undefined;
}

function saleRowOf(code = HONEST): SaleMisbehaviour | undefined {
  const row = MISBEHAVIOURS[code];
  return row?.endpoint === 'sale' ? row : undefined;
}

/** The row that shows every retry comes first, because others are judged by it. */
function connectionRows(): [string, BasketMisbehaviour & { readonly act: ConnectionAct }][] {
  const rows: [string, BasketMisbehaviour & { readonly act: ConnectionAct }][] = [];
  for (const [code, row] of Object.entries(MISBEHAVIOURS)) {
    if (row.endpoint !== 'basket' || row.act.kind !== 'connection') continue;
    const entry: (typeof rows)[number] = [code, { ...row, act: row.act }];
    if (code === SHOWN) rows.unshift(entry);
    else rows.push(entry);
  }
  return rows;
}
const SHOWN = 'tls-cut-handshake';

/** A request that the double refuses breaks the contract, and a refused one is never repeated as it was. */
function addRefused({ seen }: Run, honest: Finding): void {
  for (const { refused, path, requestId = 'none', idempotencyKey } of seen) {
    if (refused === undefined) continue;
    const sentence = `${path} was refused: ${refused} (request ID ${requestId}).`;
    add(honest, 1, [{ fault: 'refused', sentence, rule: RULES.errors, idempotencyKey }]);
  }
}

/** Each attempt has an ID of its own. */
function addReusedIds({ seen }: Run, findingOf: (code: string | undefined) => Finding): void {
  const used = new Map<string, number>();
  const rowOf = ({ code }: SeenRequest) => findingOf(code);
  for (const request of seen) {
    const id = request.requestId?.toLowerCase();
    if (id === undefined) continue;
    const times = used.get(id) ?? 0;
    used.set(id, times + 1);
    if (times === 0) continue;
    const { idempotencyKey } = request;
    const sentence = `X-Request-Id ${id} had been used before: ${times + 1} attempts had it so far.`;
    rowOf(request).faults.push({ fault: 'request-id-reused', sentence, rule: RULES.requestIds, idempotencyKey });
  }
}

function rowVerdictOf(code: string, { isPlayed, calls, seen, faults, unshown, remark }: Finding): RowVerdict {
  const row = MISBEHAVIOURS[code];
  const rule = row && attemptRuleOf(row);
  const right = rule?.when ?? 'One attempt. An answer is not followed by a retry.';
  const verdict = faults.length > 0 ? 'wrong' : isPlayed ? 'right' : 'not played';
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
  const found = FAULT_NAMES.map((name): [FaultName, string[]] => [
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
