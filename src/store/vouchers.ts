import { randomBytes } from 'node:crypto';
import { orStoreError, scanKeys } from '../redis/key-scan.ts';
import type { MemberToken } from './keys.ts';
import { readRedisMs } from './redis-clock.ts';
import type { Store } from './store.ts';

/**
 * The books of counted grants, which are vouchers: what was given, used, given back and taken, and when. Each member has one in its own slot,
 * written by the scripts that write the member, settle its sales and give back (vouchers.include.lua). What is left of an erased member is
 * kept under a random name, so that a closed month stays as it was.
 */

/** The book of one voucher. */
export interface VoucherBook {
  readonly programmeId: string;
  readonly benefitId: string;
  /** In order of time. */
  readonly entries: readonly VoucherEntry[];
}

export interface VoucherEntry {
  /** The beginning of its quarter of an hour, ms since 1970. */
  readonly atMs: number;
  /** Given (or taken), used (or given back), or its member erased. */
  readonly kind: 'given' | 'used' | 'erased';
  readonly units: number;
  /** Of a grant that is given: its last day. */
  readonly to?: string;
}

const QUARTER_MS = 900_000;
const KINDS = { g: 'given', u: 'used', e: 'erased' } as const;
const PROGRAMME = '!programme';
const NAME = '!name';

/** Reads the books of all members, in no order, by a search through all keys. Throws `StoreUnavailable`. */
export async function* scanVouchers(store: Store): AsyncGenerator<VoucherBook[]> {
  const seen = new Set<string>();
  for await (const { server, keys } of scanKeys(store.connection, store.keys.everyVouchers())) {
    // A search may find a key twice.
    const fresh = keys.filter((key) => !seen.has(key));
    for (const key of fresh) seen.add(key);
    const books = await orStoreError(Promise.all(fresh.map((key) => server.hgetall(key))));
    yield books.flatMap((fields) => readBooks(fields));
  }
  const erased = await store.connection.run(store.keys.erasedVouchers(), (client, key) => client.hgetall(key));
  yield Object.values(erased).map((text) => {
    const [programmeId = '', benefitId = '', ...words] = text.split(' ');
    return { programmeId, benefitId, entries: readEntries(words.join(' ')) };
  });
}

function readBooks(fields: Readonly<Record<string, string>>): VoucherBook[] {
  const { [PROGRAMME]: programmeId = '', ...others } = fields;
  return Object.entries(others).flatMap(([name, text]) =>
    isVoucher(name) ? { programmeId, benefitId: benefitOf(name), entries: readEntries(text) } : [],
  );
}

function isVoucher(name: string): boolean {
  return !name.startsWith('!');
}

/** The name is `benefitId/grantId`. */
function benefitOf(name: string): string {
  return name.slice(0, name.indexOf('/'));
}

function readEntries(text: string): VoucherEntry[] {
  const entries = [...text.matchAll(/(\d+)([gue])(-?\d*)(?:~(\S+))?/g)].map(
    ([, quarter, kind, units, to]): VoucherEntry => ({
      ...{ atMs: Number(quarter) * QUARTER_MS, kind: KINDS[kind as keyof typeof KINDS], units: Number(units) },
      ...(to !== undefined && { to }),
    }),
  );
  // Those of a member that was merged into another one stand behind the other's.
  return entries.toSorted((one, other) => one.atMs - other.atMs);
}

/**
 * Keeps the book of a member that is to be erased, without the member and the names of its grants. It may be repeated until the
 * book itself is erased. Throws `StoreUnavailable`.
 */
export async function keepErasedVouchers(store: Store, member: MemberToken): Promise<void> {
  const { connection, keys } = store;
  const key = keys.ofMember(member).vouchers;
  const fields = await connection.run(key, (client) => client.hgetall(key));
  const vouchers = Object.entries(fields).filter(([name]) => isVoucher(name));
  if (vouchers.length === 0) return;
  await connection.run(key, (client) => client.hsetnx(key, NAME, randomBytes(16).toString('base64url')));
  const name = await connection.run(key, (client) => client.hget(key, NAME));
  const quarter = Math.floor((await readRedisMs(connection)) / QUARTER_MS);
  const kept = vouchers
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([voucher, text], at) => [
      `${name}/${at}`,
      `${fields[PROGRAMME] ?? ''} ${benefitOf(voucher)} ${text} ${quarter}e`,
    ]);
  await connection.run(keys.erasedVouchers(), (client, key) => client.hset(key, ...kept));
}
