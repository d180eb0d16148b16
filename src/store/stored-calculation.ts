import { readGiven } from './given.ts';
import type { MemberToken } from './keys.ts';
import { consumes, parseOutcome, type SaleOutcome } from './sale.ts';
import type { Store } from './store.ts';
import { type CommonUse, readCommonUses, readUses, type Use } from './uses.ts';

/**
 * A calculation as Redis keeps it: one hash in the slot of its member. These tables declare each field once, with the name that it
 * has in Redis and in the Lua, its kind, and the script that writes it. Money is in minor units, instants are ms of Redis' clock.
 */

type Raw = Readonly<Record<string, Buffer | undefined>>;

/** A value, and the fields of the hash that it is made of. */
interface Field<Value> {
  readonly names: readonly string[];
  readonly read: (raw: Raw) => Value;
}

const one = <Value, Missing = undefined>(name: string, of: (text: string) => Value, missing = undefined as Missing) =>
  field([name], ({ [name]: value }) => (value === undefined ? missing : of(value.toString())));
const text = <Value extends string = string>(name: string) => one(name, (value) => value as Value);
const number = (name: string) => one(name, Number);
const flag = (name: string) => one(name, (value) => value === '1', false);

/** What is left after a sale or a decision: all, with its event, or only what has to be counted. */
const COUNT = '2';
const left = (name: string) => one(name, (value) => (value === COUNT ? 'count' : 'event'));

/** How holds in counters of all members end. `give_back`: a person has decided against a sale that had consumed them. */
export type Ending = 'consume' | 'release' | 'give_back';

/** Steps of a calculation that are left, by the names of their fields. The script that makes a change sets one, and whoever has done it clears it. */
const DUE = {
  /** The superseded calculation that is still to be released. Set by the commit of its successor, in the successor's record. */
  release: text('release'),
  /** How holds of limits over all members still end. Set by whatever ended the calculation. */
  commonDue: text<Ending>('commonDue'),
  /** `event`: the event of the sale is to be appended and the sale to be counted in the costs; `count`: it is only to be counted. */
  event: left('event'),
  /** The event of the second outcome is to be appended (cluster). */
  untold: flag('untold'),
  /** The event of the expiry is to be appended by the process that it was given to at this instant (cluster; expire-calculation.lua). */
  expiryEvent: number('expiryEvent'),
  /** Counters, costs and the list of decisions are to follow a decision; `event`: its event is to be appended too. */
  decisionDue: left('decisionDue'),
};

type Due = Partial<Values<typeof DUE>>;

/**
 * What has become of an answered calculation. `open`: nothing yet; `superseded`: its successor was answered; `sold`: an outcome was reported, also
 * that the sale was cancelled or failed; `expired`: its hold time was over before.
 */
type State = 'open' | 'superseded' | 'sold' | 'expired';

const FIELDS = {
  /** `unknown`: only a sale event or a successor has named the calculation. Written by commit, sale, supersession and expiry. */
  state: field(['fp', 'state'], ({ fp, state }) => (fp ? (String(state) as State) : ('unknown' as const))),
  /** SHA-256 of the request's body, base64url. Written by the commit, as all fields down to `basket`. */
  fingerprint: text('fp'),
  venueId: text('venue'),
  /** The status of the answer: applied, unchanged or member_not_found. */
  status: text('status'),
  /** Why an answer left the basket unchanged. */
  reason: text('reason'),
  answeredAtMs: number('at'),
  /** When the hold ends or ended. A moved clock makes it sooner. */
  deadlineMs: number('deadline'),
  /** What the guest pays by the answer. */
  total: number('total'),
  /** The member's tier, and the shares of members that it is in, by which costs are counted. */
  tier: text('tier'),
  share: text('share'),
  /** Uses of the member's own limits and grants. */
  ownUses: one('holds', readUses, [] as readonly Use[]),
  /** Uses of limits over all members. */
  commonUses: one('common', readCommonUses, [] as readonly CommonUse[]),
  /** What benefits give (given.ts). */
  given: field([], (raw) => readGiven(pieces(raw, 'g')?.toString() ?? '')),
  /** The basket's lines and the member's facts (calls/stored/kept-basket.ts); absent of a very large one. */
  basket: field([], (raw) => pieces(raw, 'b')),
  /** The answer that was sold, from the sale on; before it, only `readAnswered` has it. */
  answer: field([], (raw) => pieces(raw, 'a')),

  /** The calculationId of the successor. Written by its commit, or by the release in another member's slot. */
  supersededBy: text('supersededBy'),
  /** The outcome that stands. Written by the first sale event, or by a decision. */
  sale: one('sale', parseOutcome),
  /** Absent where the sale event came before anybody had claimed the ID. */
  soldAtMs: number('soldAt'),
  /** Sold without its hold. */
  isLate: flag('late'),
  /** Units that the sale took past limits. */
  overRedeemed: one('over', Number, 0),
  /** The first other outcome that was reported, and how many were. Written by sale events that are refused. */
  second: one('second', parseOutcome),
  conflicts: one('conflicts', Number, 0),
  /** What a person has decided about the two outcomes. */
  decision: field(['decided', 'decidedAt', 'decidedBy', 'decidedWhy', 'first', 'sale'], decisionOf),
  /** The first outcome is in no costs: the decision came before it was counted, or an earlier version took it out. Until the decision is done. */
  isUndone: flag('undone'),
  /** Who was given the sale to count; absent where the call that booked it was, or nobody was yet (completion.ts). */
  countedBy: text('countedBy'),
  /** By how much a test has made the calculation older (member-clock.ts). */
  agedMs: one('aged', Number, 0),

  /** What is still to be done (completion.ts, and docs/architecture.md). */
  due: field(Object.keys(DUE), (raw): Due => readAll(DUE, raw)),
};

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

type Fields = typeof FIELDS;
type StoredFields = Values<Fields>;

/** The names that the hash has in Redis; beside them are the numbered pieces `g0` …, `b0` … and `a0` …. */
export const STORED_NAMES: ReadonlySet<string> = new Set(Object.values(FIELDS).flatMap(({ names }) => names));

export interface StoredCalculation extends StoredFields {
  readonly calculationId: string;
  /** Undefined where only a sale event or a successor has named the calculation. */
  readonly member: MemberToken | undefined;
}

/** A calculation that was committed. */
export interface AnsweredCalculation extends StoredCalculation {
  readonly member: MemberToken;
  readonly venueId: string;
  readonly status: string;
  readonly answeredAtMs: number;
}

/** The calculation that a step is of, and its member. */
export interface Owner {
  readonly calculationId: string;
  readonly member: MemberToken;
}

type Values<Table> = { readonly [Name in keyof Table]: Table[Name] extends Field<infer Value> ? Value : never };

function readAll<Table extends Readonly<Record<string, Field<unknown>>>>(table: Table, raw: Raw): Values<Table> {
  return Object.fromEntries(Object.entries(table).map(([name, { read }]) => [name, read(raw)])) as Values<Table>;
}

/** From the fields of the hash. */
export function storedOf(member: MemberToken | undefined, calculationId: string, raw: Raw): StoredCalculation {
  return { calculationId, member, ...readAll(FIELDS, raw) };
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

/**
 * Notes that steps are done (`commonDue`: common-endings.ts, `event`: completion.ts). True for the one caller that has noted it. Throws `StoreUnavailable`.
 */
export async function clearDue(
  { connection, keys }: Store,
  { member, calculationId }: Owner,
  ...steps: (Exclude<keyof Due, 'commonDue' | 'event'> | 'undone')[]
): Promise<boolean> {
  const cleared = await connection.run(keys.calculation(member, calculationId), (client, key) =>
    client.hdel(key, ...steps),
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

function field<Value>(names: readonly string[], read: (raw: Raw) => Value): Field<Value> {
  return { names, read };
}

/** The bytes that are in the fields of a letter and a number. */
function pieces(raw: Raw, letter: string): Buffer | undefined {
  const found: Buffer[] = [];
  for (let piece = raw[`${letter}0`]; piece !== undefined; piece = raw[`${letter}${found.length}`]) found.push(piece);
  return found.length === 0 ? undefined : Buffer.concat(found);
}

function decisionOf({ decided, decidedAt, decidedBy, decidedWhy, first, sale }: Raw): Decision | undefined {
  const stood = first ?? sale;
  if (!decided || !stood) return undefined;
  return {
    outcome: decided.toString() as Decision['outcome'],
    who: decidedBy?.toString(),
    reason: decidedWhy?.toString() ?? '',
    atMs: Number(decidedAt ?? 0),
    first: parseOutcome(stood.toString()),
  };
}
