import type { MemberToken } from './keys.ts';
import type { Store } from './store.ts';

/**
 * The basket kept with a calculation lies in fields of at most 64 bytes, the most that Redis' compact form of a hash takes: a
 * longer one would make each calculation ten times as large.
 */
const FIELD_BYTES = 64;
/** Beyond this many bytes a basket is not kept: a hash in the compact form is searched from its start. */
const MAX_BYTES = 96 * FIELD_BYTES;
const FIELD = /^b(\d+)$/;

/** Cuts a kept basket into the values of its fields `b0`, `b1` …; a basket that is too large has none. */
export function cutKeptBasket(bytes: Buffer): Buffer[] {
  if (bytes.length > MAX_BYTES) return [];
  const values: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += FIELD_BYTES) values.push(bytes.subarray(at, at + FIELD_BYTES));
  return values;
}

/** Reads a kept basket; undefined when there is none. Throws `StoreUnavailable`. */
export async function readKeptBasket(
  { connection, keys }: Store,
  member: MemberToken,
  calculationId: string,
): Promise<Buffer | undefined> {
  const fields = await connection.run((client) => client.hgetallBuffer(keys.calculation(member, calculationId)));
  const values = Object.entries(fields).flatMap(([name, value]) => {
    const number = FIELD.exec(name)?.[1];
    return number === undefined ? [] : [[Number(number), value] as const];
  });
  if (values.length === 0) return undefined;
  return Buffer.concat(values.toSorted(([one], [other]) => one - other).map(([, value]) => value));
}
