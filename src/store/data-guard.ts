import { StoreUnavailable } from '../redis/failure.ts';
import type { Dataset } from './dataset.ts';
import { DATASET_PARTS, type MemberToken } from './keys.ts';
import type { Store } from './store.ts';

/**
 * The set of data that should be in Redis: a call that does not find its member asks for its mark. It is there only if the set has
 * members that are not in the configuration file; without them nobody who is unknown can have been lost.
 */
export class DataGuard {
  name: string | undefined;

  expect(dataset: Dataset | undefined): void {
    this.name = dataset?.hasMembers ? dataset.name : undefined;
  }
}

/**
 * Makes sure that a member who was not found was not lost: `member_not_found` is final for an order, while the truth would be
 * that the data is gone. Costs a round trip, for unknown members alone. Throws `StoreUnavailable` when the data is gone.
 */
export async function requireData(store: Store, member: MemberToken): Promise<void> {
  const name = store.guard?.name;
  if (name === undefined) return;
  const { connection, keys } = store;
  const server = connection.masters.placeOf(keys.member(member));
  const found = connection.isCluster
    ? await connection.run(keys.dataset(partBeside(store, server)), (client, key) => client.get(key))
    : await connection.run(keys.format(), (client, key) => client.hget(key, 'dataset'));
  if (found === name) return;
  throw new StoreUnavailable('Redis: the data is gone', { redisCause: 'data_gone', server });
}

/** A part whose mark lies on the same master; with more than thirty masters some have none, and the nearest is asked. */
function partBeside({ connection, keys }: Store, server: string | undefined): number {
  return DATASET_PARTS.find((part) => connection.masters.placeOf(keys.dataset(part)) === server) ?? 0;
}
