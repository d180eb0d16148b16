import type { MemberToken } from './keys.ts';
import { runScript } from './scripts.ts';
import type { Store } from './store.ts';

/** What an erasure found. */
export interface Erased {
  /** True when the member was stored. */
  readonly member: boolean;
  /** Calculations whose records and answers were removed. */
  readonly calculations: number;
}

/** Calculations erased in one round: every command stays short, whatever has piled up. */
const BATCH = 200;

/**
 * Erases all keys of a member: the member first, so that calls from then on do not find it, then what it has used and
 * holds, then its calculations and answers by its history, each with the index entry that leads to it. No key space is
 * searched: the work is that of the calculations of one retention time. Every command stays in one slot, and each is
 * harmless the second time, so an erasure that was cut short is finished by another. Throws `StoreUnavailable`.
 */
export async function eraseMember(store: Store, member: MemberToken): Promise<Erased> {
  const { keys, connection } = store;
  const stored = await connection.run((client) => client.unlink(keys.member(member)));
  await connection.run((client) => client.unlink(keys.use(member), keys.hold(member)));
  const history = keys.history(member);
  // Bounded by what is there now: a caller that goes on asking for an erased member does not keep this from ending.
  const rounds = Math.ceil((await connection.run((client) => client.zcard(history))) / BATCH);
  let calculations = 0;
  for (let round = 0; round < rounds; round += 1) calculations += await eraseBatch(store, member, history);
  return { member: stored > 0, calculations };
}

/** The oldest calculations; the index entry goes first, for without it nothing leads to the rest any more. */
async function eraseBatch(store: Store, member: MemberToken, history: string): Promise<number> {
  const { keys, connection } = store;
  const calculationIds = await connection.run((client) => client.zrange(history, 0, String(BATCH - 1)));
  if (calculationIds.length === 0) return 0;
  await Promise.all(calculationIds.map((id) => runScript(connection, 'erase-index', [keys.index(id)], [member])));
  const records = calculationIds.flatMap((id) => [keys.calculation(member, id), keys.answer(member, id)]);
  await connection.run((client) => client.unlink(...records));
  await connection.run((client) => client.zrem(history, ...calculationIds));
  return calculationIds.length;
}
