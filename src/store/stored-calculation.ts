import { type Given, readGiven } from './given.ts';
import type { MemberToken } from './keys.ts';
import { consumes, parseOutcome, type SaleOutcome } from './sale.ts';
import type { Store } from './store.ts';
import { type CommonUse, readCommonUses, readUses, type Use } from './uses.ts';

/**
 * A calculation as Redis keeps it: one hash in the slot of its member. This table declares each field once, with the names that it
 * has in Redis and in the Lua, and with the script that writes it. Money is in minor units, instants are ms of Redis' clock.
 */
const FIELDS = {
  /** `unknown`: only a sale event or a successor has named the calculation. Written by commit, sale, supersession and expiry. */
  state: field(['fp', 'state'], ({ fp, state }) => (fp ? (textOf(state) as CommittedState) : ('unknown' as const))),
  /** SHA-256 of the request's body, base64url. Written by the commit, as all fields down to `basket`. */
  fingerprint: field(['fp'], ({ fp }) => textOf(fp)),
  venueId: field(['venue'], ({ venue }) => textOf(venue)),
  /** The status of the answer: applied, unchanged or member_not_found. */
  answered: field(['status'], ({ status }) => textOf(status)),
  /** Why an answer left the basket unchanged. */
  reason: field(['reason'], ({ reason }) => textOf(reason)),
  answeredAtMs: field(['at'], ({ at }) => numberOf(at)),
  /** When the reservation ends or ended. A moved clock makes it sooner. */
  deadlineMs: field(['deadline'], ({ deadline }) => numberOf(deadline)),
  /** What the guest pays by the answer. */
  total: field(['total'], ({ total }) => numberOf(total)),
  /** The member's tier, and the shares of members that it is in, by which costs are counted. */
  tier: field(['tier'], ({ tier }) => textOf(tier)),
  share: field(['share'], ({ share }) => textOf(share)),
  /** Uses of the member's own limits and grants. */
  ownUses: field(['holds'], ({ holds }): readonly Use[] => readUses(textOf(holds) ?? '')),
  /** Uses of limits over all members. */
  commonUses: field(['common'], ({ common }): readonly CommonUse[] => readCommonUses(textOf(common) ?? '')),
  /** What benefits give (given.ts). */
  given: field([], (raw): Given | undefined => readGiven(pieces(raw, 'g')?.toString() ?? '')),
  /** The basket's lines and the member's facts (calls/stored/kept-basket.ts); absent of a very large one. */
  basket: field([], (raw) => pieces(raw, 'b')),
  /** The answer that was sold, from the sale on; before it, only `readAnswered` has it. */
  answer: field([], (raw) => pieces(raw, 'a')),

  /** The calculationId of the successor. Written by its commit, or by the release in another member's slot. */
  supersededBy: field(['supersededBy'], ({ supersededBy }) => textOf(supersededBy)),
  /** The outcome that stands. Written by the first sale event, or by a decision. */
  sale: field(['sale'], ({ sale }) => outcomeOf(sale)),
  /** Absent where the sale event came before anybody had claimed the ID. */
  soldAtMs: field(['soldAt'], ({ soldAt }) => numberOf(soldAt)),
  /** Sold without its reservation. */
  isLate: field(['late'], ({ late }) => textOf(late) === '1'),
  /** Units that the sale took past limits. */
  overRedeemed: field(['over'], ({ over }) => numberOf(over) ?? 0),
  /** The first other outcome that was reported, and how many were. Written by sale events that are refused. */
  second: field(['second'], ({ second }) => outcomeOf(second)),
  conflicts: field(['conflicts'], ({ conflicts }) => numberOf(conflicts) ?? 0),
  /** What a person has decided about the two outcomes. */
  decision: field(['decided', 'decidedAt', 'decidedBy', 'decidedWhy', 'first', 'sale'], decisionOf),
  /** By how much a test has made the calculation older (member-clock.ts). */
  agedMs: field(['aged'], ({ aged }) => numberOf(aged) ?? 0),

  /** What is still to be done (completion.ts, and docs/architecture.md). */
  due: field(['release', 'commonDue', 'event', 'untold', 'expiryEvent', 'decisionDue', 'undone'], dueOf),
};

type CommittedState = 'open' | 'superseded' | 'sold' | 'expired';

/** A person's decision between two outcomes of a calculation. */
export interface Decision {
  readonly outcome: 'first' | 'second';
  /** The name of the token; undefined of a decision that an earlier version booked. */
  readonly who: string | undefined;
  readonly reason: string;
  readonly atMs: number;
  /** The first outcome, which stood until then. */
  readonly first: SaleOutcome;
}

/** How reservations in counters of all members end. `give_back`: a person has decided against a sale that had consumed them. */
export type Ending = 'consume' | 'release' | 'give_back';

/** Steps of a calculation that are left. The script that makes a change sets them, and whoever has done one clears it. */
export interface Due {
  /** The superseded calculation that is still to be released. Set by the commit of its successor, in the successor's record. */
  readonly release?: string | undefined;
  /** How reservations of limits over all members still end. Set by whatever ended the calculation. */
  readonly counters?: Ending | undefined;
  /** `event`: the event of the sale is to be appended and the sale to be counted in the costs; `count`: it is only to be counted. */
  readonly sale?: 'event' | 'count' | undefined;
  /** The event of the second outcome is to be appended (cluster). */
  readonly conflict?: boolean;
  /** When the event of the expiry was given to a process, which is to append it (cluster; expire-calculation.lua). */
  readonly expiredGivenAtMs?: number | undefined;
  /** Counters, event, costs and the list of decisions are to follow a decision. */
  readonly decision?: boolean;
  /** The first outcome is in no costs: the decision came before it was counted, or an earlier version took it out. */
  readonly isUncounted?: boolean;
}

type Raw = Readonly<Record<string, Buffer | undefined>>;
type Fields = typeof FIELDS;

/** The names that the hash has in Redis; beside them are the numbered pieces `g0` …, `b0` … and `a0` …. */
export const STORED_NAMES: ReadonlySet<string> = new Set(Object.values(FIELDS).flatMap(({ names }) => names));

type StoredFields = { readonly [Name in keyof Fields]: ReturnType<Fields[Name]['read']> };

export interface StoredCalculation extends StoredFields {
  readonly calculationId: string;
  /** Undefined where only a sale event or a successor has named the calculation. */
  readonly member: MemberToken | undefined;
}

/** A calculation that was committed. */
export interface AnsweredCalculation extends StoredCalculation {
  readonly member: MemberToken;
  readonly venueId: string;
  readonly answered: string;
  readonly answeredAtMs: number;
}

/** The calculation that a step is of, and its member. */
export interface Owner {
  readonly calculationId: string;
  readonly member: MemberToken;
}

/** From the fields of the hash. */
export function storedOf(member: MemberToken | undefined, calculationId: string, raw: Raw): StoredCalculation {
  const fields = Object.entries(FIELDS).map(([name, { read }]) => [name, read(raw)]);
  return { calculationId, member, ...(Object.fromEntries(fields) as StoredFields) };
}

export function isAnswered(stored: StoredCalculation | undefined): stored is AnsweredCalculation {
  return stored !== undefined && stored.state !== 'unknown' && stored.member !== undefined;
}

/** Reads the hash in the slot of a member. Empty where nothing is there. Throws `StoreUnavailable`. */
export async function readRaw({ connection, keys }: Store, member: MemberToken, calculationId: string): Promise<Raw> {
  return connection.run(keys.calculation(member, calculationId), (client, key) => client.hgetallBuffer(key));
}

/** Reads a calculation with the answer as long as that is kept. Undefined where it was never committed. Throws `StoreUnavailable`. */
export async function readAnswered(
  store: Store,
  { member, calculationId }: Owner,
): Promise<AnsweredCalculation | undefined> {
  const { connection, keys } = store;
  const [raw, answer] = await Promise.all([
    readRaw(store, member, calculationId),
    connection.run(keys.answer(member, calculationId), (client, key) => client.getBuffer(key)),
  ]);
  const stored = storedOf(member, calculationId, raw);
  return isAnswered(stored) ? { ...stored, answer: stored.answer ?? answer ?? undefined } : undefined;
}

/** Reads some fields alone. Throws `StoreUnavailable`. */
export async function readSome<Name extends Exclude<keyof Fields, 'given' | 'basket' | 'answer'>>(
  { connection, keys }: Store,
  { member, calculationId }: Owner,
  ...wanted: Name[]
): Promise<Pick<StoredFields, Name>> {
  const names = [...new Set(wanted.flatMap((name) => FIELDS[name].names))];
  const key = keys.calculation(member, calculationId);
  const values = await connection.run(key, (client) => client.hmgetBuffer(key, ...names));
  const raw: Raw = Object.fromEntries(names.map((name, at) => [name, values[at] ?? undefined]));
  return Object.fromEntries(wanted.map((name) => [name, FIELDS[name].read(raw)])) as Pick<StoredFields, Name>;
}

type Mark = 'release' | 'event' | 'untold' | 'expiryEvent' | 'decisionDue' | 'undone';

/** Notes that steps are done. True for the one caller that has noted it. Throws `StoreUnavailable`. */
export async function clearDue(
  { connection, keys }: Store,
  { member, calculationId }: Owner,
  ...marks: Mark[]
): Promise<boolean> {
  const cleared = await connection.run(keys.calculation(member, calculationId), (client, key) =>
    client.hdel(key, ...marks),
  );
  return cleared > 0;
}

/** All uses of a calculation: of the member's own limits, and of limits over all members. */
export function allUses({ ownUses, commonUses }: Pick<StoredCalculation, 'ownUses' | 'commonUses'>): readonly Use[] {
  return [...ownUses, ...commonUses];
}

/** An answer that came after its sale cannot have been what was sold. */
export function isSoldBefore({ sale, soldAtMs = 0, answeredAtMs }: AnsweredCalculation): boolean {
  return sale !== undefined && soldAtMs < answeredAtMs;
}

/**
 * Whether an outcome sells the basket as the service had answered it, so that costs have what it gave. Where a till keeps another basket,
 * nobody knows what was paid.
 */
export function isSoldAsAnswered(stored: AnsweredCalculation, outcome: Pick<SaleOutcome, 'status'>): boolean {
  if (!stored.given || isSoldBefore(stored)) return false;
  return consumes(outcome) || (outcome.status === 'unchanged' && stored.given.benefits.length === 0);
}

function field<const Name extends string, Value>(names: readonly Name[], read: (raw: Raw) => Value) {
  return { names: names as readonly string[], read };
}

function textOf(value: Buffer | undefined): string | undefined {
  return value?.toString();
}

function numberOf(value: Buffer | undefined): number | undefined {
  return value && Number(value.toString());
}

function outcomeOf(value: Buffer | undefined): SaleOutcome | undefined {
  return value && parseOutcome(value.toString());
}

/** The bytes that are in the fields of a letter and a number. */
function pieces(raw: Raw, letter: string): Buffer | undefined {
  const found: Buffer[] = [];
  for (let piece = raw[`${letter}0`]; piece !== undefined; piece = raw[`${letter}${found.length}`]) found.push(piece);
  return found.length === 0 ? undefined : Buffer.concat(found);
}

function decisionOf({ decided, decidedAt, decidedBy, decidedWhy, first, sale }: Raw): Decision | undefined {
  const stood = outcomeOf(first ?? sale);
  if (!decided || !stood) return undefined;
  return {
    outcome: decided.toString() as Decision['outcome'],
    who: textOf(decidedBy),
    reason: textOf(decidedWhy) ?? '',
    atMs: numberOf(decidedAt) ?? 0,
    first: stood,
  };
}

function dueOf({ release, commonDue, event, untold, expiryEvent, decisionDue, undone }: Raw): Due {
  return {
    release: textOf(release),
    counters: textOf(commonDue) as Ending | undefined,
    sale: event && (textOf(event) === '2' ? 'count' : 'event'),
    conflict: untold !== undefined,
    expiredGivenAtMs: numberOf(expiryEvent),
    decision: decisionDue !== undefined,
    isUncounted: textOf(undone) === '1',
  };
}
