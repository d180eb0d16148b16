/** A look into Redis at what one history has left there: its members and its calculations, as of one instant. */
import type { ChainableCommander, Redis } from 'ioredis';
import type { MemberToken } from '../../src/store/keys.ts';
import { EVENT_STREAMS } from '../../src/store/keys.ts';
import { KEYS } from '../faults/support.ts';
import { type ToldEvent, toldEvent } from '../support/told-events.ts';
import { sleep } from '../support/wait.ts';
import type { Calculation, Model } from './model.ts';
import { CROWDED, LIMITS, readUse, useOf } from './world.ts';

export interface SeenCalculation {
  readonly number: number;
  /** Undefined in a tombstone. */
  readonly member: number | undefined;
  /** Fingerprint of the committed body; undefined when it was never committed. */
  readonly print: string | undefined;
  readonly hasAnswer: boolean;
  readonly state: string | undefined;
  readonly venue: string | undefined;
  /** When the commit and the sale were written, by Redis' clock. */
  readonly committedAtMs: number | undefined;
  readonly soldAtMs: number | undefined;
  readonly deadlineMs: number;
  readonly uses: readonly string[];
  /** Status and transaction of the recorded sale. */
  readonly outcome: string | undefined;
  readonly isSuperseded: boolean;
  readonly pendingRelease: string | undefined;
  /** All of it has come back. */
  readonly isReturned: boolean;
}

export interface SeenMember {
  readonly consumed: ReadonlyMap<string, number>;
  readonly over: ReadonlyMap<string, number>;
  /** Units by usage key that were sold under IDs which another member has by now. */
  readonly soldBefore: ReadonlyMap<string, number>;
  /** Live holds: calculation ID → uses. */
  readonly holds: ReadonlyMap<string, { readonly deadlineMs: number; readonly uses: readonly string[] }>;
}

export interface Sight {
  readonly nowMs: number;
  readonly members: readonly SeenMember[];
  readonly calculations: ReadonlyMap<number, SeenCalculation>;
}

type Fields = Record<string, string>;

/** Longer than a busy machine needs, and shorter than until the sweep looks at a successor. */
const RELEASE_LIMIT_MS = 1000;

/**
 * Looks once; after a call that had no time left, until no release is left that the model does not know of: such a call does not
 * wait for it, and it is done soon after the answer.
 */
export async function observeReleased(
  look: () => Promise<Sight>,
  { calculations }: Model,
  isLate: boolean,
): Promise<Sight> {
  const endMs = isLate ? performance.now() + RELEASE_LIMIT_MS : 0;
  for (;;) {
    const sight = await look();
    const isLeft = [...sight.calculations.values()].some(
      ({ number, pendingRelease }) =>
        pendingRelease !== undefined && calculations.get(number)?.pendingRelease === undefined,
    );
    if (!isLeft || performance.now() > endMs) return sight;
    await sleep(20);
  }
}

/**
 * Reads it all. Nothing of the history is under way while this runs, so two transactions see one state. `reborn` are
 * calculations whose window has passed: another member may have the ID by now, and the first one's record is still there.
 */
export async function observe(
  redis: Redis,
  tokens: readonly MemberToken[],
  ids: ReadonlyMap<number, string>,
  reborn: ReadonlySet<number> = new Set(),
): Promise<Sight> {
  const numbers = [...ids.keys()];
  const entries = await all<string | null>(redis, numbers, (chain, number) => chain.get(KEYS.index(ids.get(number)!)));
  const known = numbers.flatMap((number, at) => (entries[at] ? [{ number, entry: entries[at] }] : []));
  const chain = redis.multi().time();
  for (const token of tokens) chain.hgetall(KEYS.use(token)).hgetall(KEYS.hold(token));
  for (const { number, entry } of known) {
    const token = entry.split(' ')[0] as MemberToken;
    const id = ids.get(number)!;
    chain.hgetall(KEYS.calculation(token, id)).exists(KEYS.answer(token, id)).exists(KEYS.returns(token, id));
  }
  const left = known.filter(({ number }) => reborn.has(number));
  for (const token of tokens)
    for (const { number } of left) {
      const id = ids.get(number)!;
      chain.hgetall(KEYS.calculation(token, id)).exists(KEYS.returns(token, id));
    }
  const [time, ...replies] = await exec<unknown>(chain);
  const [seconds, micros] = (time as string[]).map(Number) as [number, number];
  const nowMs = seconds * 1000 + Math.floor(micros / 1000);
  const members = tokens.map(() => toMember(replies.shift() as Fields, replies.shift() as Fields, nowMs));
  const calculations = new Map<number, SeenCalculation>();
  for (const { number, entry } of known) {
    const member = tokens.indexOf(entry.split(' ')[0] as MemberToken);
    const [fields, answers, returns] = [replies.shift() as Fields, replies.shift(), replies.shift()];
    const known = {
      number,
      member: member < 0 ? undefined : member,
      hasAnswer: answers === 1,
      isReturned: returns === 1,
    };
    calculations.set(number, toCalculation(known, entry, fields));
  }
  const soldBefore = tokens.map((token) => {
    const records = left.map(
      ({ entry }) => [entry.split(' ')[0] !== token, replies.shift() as Fields, replies.shift()] as const,
    );
    return countSold(records.flatMap(([isLeft, fields, returns]) => (isLeft && returns === 0 ? [fields] : [])));
  });
  return { nowMs, members: members.map((member, at) => ({ ...member, soldBefore: soldBefore[at]! })), calculations };
}

function all<T>(
  redis: Redis,
  numbers: readonly number[],
  add: (chain: ChainableCommander, number: number) => unknown,
): Promise<T[]> {
  const chain = redis.multi();
  for (const number of numbers) add(chain, number);
  return numbers.length === 0 ? Promise.resolve([]) : exec<T>(chain);
}

async function exec<T>(chain: ChainableCommander): Promise<T[]> {
  return ((await chain.exec()) ?? []).map(([error, reply]) => {
    if (error) throw error;
    return reply as T;
  });
}

function countSold(records: readonly Fields[]): Map<string, number> {
  const sold = new Map<string, number>();
  for (const { sale, fp, holds = '' } of records) {
    if (!sale || fp === undefined || !outcomeOf(JSON.parse(sale) as (string | null)[]).startsWith('applied')) continue;
    for (const [use, units] of takenOf(holds).map(readUse)) sold.set(use, (sold.get(use) ?? 0) + units);
  }
  return sold;
}

function toMember(use: Fields, hold: Fields, nowMs: number): Omit<SeenMember, 'soldBefore'> {
  const counts = Object.entries(use).map(([key, units]) => [key, Number(units)] as const);
  const own = Object.entries(hold).filter(([, text]) => !text.includes(` ${CROWDED}=`));
  const holds = own.map(([id, text]) => {
    const [deadline] = text.split(' ', 1) as [string];
    return [id, { deadlineMs: Number(deadline), uses: takenOf(text.slice(deadline.length)) }] as const;
  });
  return {
    consumed: new Map(counts.filter(([key]) => !key.includes('!'))),
    over: new Map(counts.filter(([key]) => key.endsWith('!over')).map(([key, units]) => [key.slice(0, -5), units])),
    holds: new Map(holds.filter(([, { deadlineMs }]) => deadlineMs > nowMs)),
  };
}

function toCalculation(
  known: Pick<SeenCalculation, 'number' | 'member' | 'hasAnswer' | 'isReturned'>,
  entry: string,
  fields: Fields,
): SeenCalculation {
  const tail = entry.split(' ').slice(3).join(' ');
  const sale = fields.sale ?? (tail.startsWith('sale:') ? tail.slice('sale:'.length) : undefined);
  return {
    ...known,
    print: fields.fp,
    state: fields.state,
    venue: fields.venue,
    committedAtMs: fields.at === undefined ? undefined : Number(fields.at),
    soldAtMs: fields.soldAt === undefined ? undefined : Number(fields.soldAt),
    deadlineMs: Number(fields.deadline ?? 0),
    uses: takenOf(fields.holds ?? ''),
    outcome: sale === undefined ? undefined : outcomeOf(JSON.parse(sale) as (string | null)[]),
    isSuperseded: fields.supersededBy !== undefined || tail.startsWith('superseded:'),
    pendingRelease: fields.release,
  };
}

/** `key=units/limit`, separated by blanks, as the model writes uses. */
function takenOf(text: string): string[] {
  return text
    .split(' ')
    .filter(Boolean)
    .map((use) => useOf(...readUse(use.split('/').slice(0, -1).join('/'))));
}

/** A transaction is named `transaction-<1 or 2>`; an abandoned payment names none. */
function outcomeOf([status, transaction]: readonly (string | null)[]): string {
  return `${status} ${transaction?.split('-').at(-1) ?? '-'}`;
}

/** Takes over what Redis says, after concurrency, faults or a jump of the clock left more than one right answer. */
export function adopt(
  model: Model,
  sight: Sight,
  venues: readonly string[],
  ids: ReadonlyMap<number, string>,
  lost: ReadonlyMap<number, number>,
): void {
  const before = model.calculations;
  model.calculations = new Map();
  for (const seen of sight.calculations.values()) {
    const pending = [...ids].find(([, id]) => id === seen.pendingRelease)?.[0];
    model.calculations.set(seen.number, {
      ...(seen.print !== undefined && { print: seen.print }),
      ...(seen.member !== undefined && { member: seen.member }),
      ...(seen.venue !== undefined && { venue: venues.indexOf(seen.venue) }),
      uses: seen.uses,
      deadlineMs: seen.deadlineMs,
      isSuperseded: seen.isSuperseded,
      ...(seen.outcome !== undefined && { sale: seen.outcome }),
      pendingRelease: pending,
      sold: soldOf(seen, before.get(seen.number)),
      hasAnswer: seen.hasAnswer,
      isLost: lost.get(seen.number) === seen.deadlineMs,
    });
  }
  for (const [member, { consumed, over }] of sight.members.entries()) {
    for (const use of LIMITS.keys()) {
      model.consumed.set(`${member} ${use}`, consumed.get(use) ?? 0);
      model.over.set(`${member} ${use}`, over.get(use) ?? 0);
    }
  }
}

/** What members have sold under an ID is in their slots, of which only that of the present one is looked into. */
function soldOf(seen: SeenCalculation, before: Calculation | undefined): Map<number, readonly string[]> {
  const sold = new Map(before?.sold);
  const isSold = seen.member !== undefined && seen.print !== undefined && seen.outcome !== undefined;
  if (isSold) sold.set(seen.member!, seen.uses);
  return sold;
}

/** Every event of these calculations since the streams stood where `since` says. */
export async function eventsSince(
  redis: Redis,
  since: readonly string[],
  ids: ReadonlySet<string>,
): Promise<ToldEvent[]> {
  const found: ToldEvent[] = [];
  for (let stream = 0; stream < EVENT_STREAMS; stream += 1) {
    for (const [, list] of await redis.xrange(KEYS.events(stream), `(${since[stream]}`, '+')) {
      const event = toldEvent(list);
      if (ids.has(event.calculationId ?? '')) found.push(event);
    }
  }
  return found;
}

/** Where the streams stand now. */
export async function streamEnds(redis: Redis): Promise<string[]> {
  const ends: string[] = [];
  for (let stream = 0; stream < EVENT_STREAMS; stream += 1) {
    const [last] = await redis.xrevrange(KEYS.events(stream), '+', '-', 'COUNT', 1);
    ends.push(last?.[0] ?? '0-0');
  }
  return ends;
}
