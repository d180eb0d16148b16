import type { Redis } from 'ioredis';
import { toStoreError } from './failure.ts';
import { parseMember, type StoredMember } from './members.ts';
import type { Store } from './store.ts';

/** Keys that Redis looks at before it answers: it does nothing else meanwhile, about a tenth of a millisecond. */
const KEYS_PER_STEP = 1000;

/** A part of the stored members, and how much of everything stored has been looked at. */
export interface MemberPage {
  readonly members: readonly StoredMember[];
  /** From 0 to 1; an estimate, because keys come and go meanwhile. */
  readonly share: number;
}

/**
 * Every stored member, one server after the other, in no order. Members that are written meanwhile may be missing, and one
 * may come twice: that is what SCAN promises. Throws `StoreUnavailable`.
 */
export async function* scanMembers(store: Store): AsyncGenerator<MemberPage> {
  const { servers } = store.connection;
  const sizes = await Promise.all(servers.map((server) => orStoreError(server.dbsize())));
  const everything = sizes.reduce((sum, size) => sum + size, 0);
  let looked = 0;
  for (const server of servers) {
    let cursor = '0';
    do {
      const [next, keys] = await orStoreError(
        server.scan(cursor, 'MATCH', store.keys.everyMember(), 'COUNT', KEYS_PER_STEP),
      );
      cursor = next;
      looked += KEYS_PER_STEP;
      yield { members: await readMembers(server, keys), share: Math.min(1, looked / Math.max(1, everything)) };
    } while (cursor !== '0');
  }
}

async function readMembers(server: Redis, keys: readonly string[]): Promise<StoredMember[]> {
  const hashes = await orStoreError(Promise.all(keys.map((key) => server.hgetall(key))));
  return hashes.flatMap((hash) => {
    const { programmeId, loyaltyId } = hash;
    // Erased between the two commands.
    if (programmeId === undefined || loyaltyId === undefined) return [];
    const member = { programmeId, loyaltyId: JSON.parse(loyaltyId) as string };
    return parseMember(member, new Map(Object.entries(hash))) ?? [];
  });
}

async function orStoreError<T>(reply: Promise<T>): Promise<T> {
  try {
    return await reply;
  } catch (error) {
    throw toStoreError(error);
  }
}
