import type { Redis } from 'ioredis';
import { orStoreError, scanKeys } from '../redis/key-scan.ts';
import { parseMember, type StoredMember } from './members.ts';
import type { Store } from './store.ts';

/** A part of the stored members, and the share of all keys scanned so far. */
export interface MemberPage {
  readonly members: readonly StoredMember[];
  /** From 0 to 1; an estimate, because keys are added and removed during the scan. */
  readonly share: number;
}

/**
 * Reads every stored member, one server after the other, in no order. As with SCAN, members written during the scan may
 * be missing, and a member may come twice. Throws `StoreUnavailable`.
 */
export async function* scanMembers(store: Store): AsyncGenerator<MemberPage> {
  for await (const { server, keys, share } of scanKeys(store.connection, store.keys.everyMember())) {
    yield { members: await readMembers(server, keys), share };
  }
}

async function readMembers(server: Redis, keys: readonly string[]): Promise<StoredMember[]> {
  const hashes = await orStoreError(Promise.all(keys.map((key) => server.hgetall(key))));
  return hashes.flatMap((hash) => {
    const { programmeId = '', loyaltyId } = hash;
    // The member was erased between the two commands, or merged into another one.
    if (loyaltyId === undefined) return [];
    const member = { programmeId, loyaltyId: JSON.parse(loyaltyId) as string };
    return parseMember(member, new Map(Object.entries(hash))) ?? [];
  });
}
