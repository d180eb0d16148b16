import { callCommand } from '../redis/commands.ts';
import { StoreUnavailable } from '../redis/failure.ts';
import { replyText } from '../redis/scripts.ts';
import type { Dataset } from './dataset.ts';
import { DATASET_PARTS, type MemberToken } from './keys.ts';
import type { Store } from './store.ts';

/** A set's name is 22 characters of base64url; the first byte tells whether there is one. */
const NAME_BYTES = 22;
const MEMORY_BYTES = 1 + NAME_BYTES;

/**
 * The set of data that should be in Redis, in memory that all threads of a process share: whoever does not find a member asks
 * for its mark. It is there only if the set has members that are not in the configuration file; without them nobody who is
 * unknown can have been lost.
 */
export class DataGuard {
  readonly memory: SharedArrayBuffer;
  readonly #bytes: Uint8Array;

  constructor(memory = new SharedArrayBuffer(MEMORY_BYTES)) {
    this.memory = memory;
    this.#bytes = new Uint8Array(memory);
  }

  expect(dataset: Dataset | undefined): void {
    Atomics.store(this.#bytes, 0, 0);
    if (!dataset?.hasMembers) return;
    this.#bytes.set(Buffer.from(dataset.name, 'latin1').subarray(0, NAME_BYTES), 1);
    Atomics.store(this.#bytes, 0, 1);
  }

  get name(): string | undefined {
    if (Atomics.load(this.#bytes, 0) === 0) return undefined;
    return Buffer.from(this.#bytes.slice(1)).toString('latin1');
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
    ? await callCommand(connection, 'get', keys.dataset(partBeside(store, server)))
    : await callCommand(connection, 'hget', keys.format(), 'dataset');
  if (found !== null && replyText(found) === name) return;
  throw new StoreUnavailable('Redis: the data is gone', { redisCause: 'data_gone', server });
}

/** A part whose mark lies on the same master; with more than thirty masters some have none, and the nearest is asked. */
function partBeside({ connection, keys }: Store, server: string | undefined): number {
  return DATASET_PARTS.find((part) => connection.masters.placeOf(keys.dataset(part)) === server) ?? 0;
}
