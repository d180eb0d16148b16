import type { MemberToken } from './keys.ts';
import type { Store } from './store.ts';

/**
 * The basket kept with a calculation lies in fields `b0`, `b1` … of at most 64 bytes, the most that Redis' compact form of a
 * hash takes: a longer one would make each calculation ten times as large. The commit's script cuts it, because a word of a
 * command costs more than a piece of one. Two hundred lines with every name and random IDs take half of these bytes.
 */
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
  const fields = await connection.run(keys.calculation(member, calculationId), (client, key) =>
    client.hgetallBuffer(key),
  );
  return piecesOf(fields, 'b');
}

/** The bytes that lie in the fields of a letter and a number. */
export function piecesOf(fields: Readonly<Record<string, Buffer>>, letter: string): Buffer | undefined {
  const pieces: Buffer[] = [];
  for (let piece = fields[`${letter}0`]; piece !== undefined; piece = fields[`${letter}${pieces.length}`]) {
    pieces.push(piece);
  }
  return pieces.length === 0 ? undefined : Buffer.concat(pieces);
}
