import type { MemberToken } from './keys.ts';
import type { Store } from './store.ts';

/**
 * The basket kept with a calculation lies in fields `b0`, `b1` … of at most 64 bytes, the most that Redis' compact form of a
 * hash takes: a longer one would make each calculation ten times as large. The commit's script cuts it, because a word of a
 * command costs more than a piece of one.
 */
const FIELD = /^b(\d+)$/;
/** Two hundred lines with every name and random IDs take half of this. */
const MAX_BYTES = 224 * 64;

/** Whether a basket is kept: one of more bytes is not. */
export function isKept(bytes: Buffer): boolean {
  return bytes.length <= MAX_BYTES;
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
