import { createHmac, randomBytes } from 'node:crypto';
import { StoreUnavailable } from '../redis/failure.ts';
import type { MemberToken } from './keys.ts';
import type { Store } from './store.ts';

/**
 * The name of a member outside of the member's own keys: in the event stream, the audit log and the answers of the
 * administration. The token in key names is an unkeyed hash, and a million card numbers are hashed in 0.6 s, so whatever
 * an erasure cannot reach must not hold it. A pseudonym is an HMAC of the token under a random key of the environment,
 * which is kept in Redis: all processes have the same, and it returns with a backup.
 */
export type Pseudonym = string & { readonly brand: 'Pseudonym' };

const KEY_BYTES = 32;
/** 132 bits, as in the member tokens. */
const PSEUDONYM_CHARACTERS = 22;
/** A key that an operator has replaced is used by every process at the latest with the second call after this time. */
const REFRESH_MS = 5000;

interface KnownKey {
  readonly key: string;
  readonly readAtMs: number;
}

/** The keys as they were last read, by connection and by the name of the Redis key. */
const known = new WeakMap<Store['connection'], Map<string, KnownKey>>();

/**
 * The pseudonym of a member. It costs no round trip but the first. Throws `StoreUnavailable` where this process has
 * never read the key and cannot read it now.
 */
export async function pseudonymOf(store: Store, member: MemberToken): Promise<Pseudonym> {
  const key = await readPseudonymKey(store);
  return createHmac('sha256', key).update(member).digest('base64url').slice(0, PSEUDONYM_CHARACTERS) as Pseudonym;
}

/**
 * Reads the key, which whoever comes first makes. A key that was read some seconds ago still serves, and is read again
 * in the background, so that no call waits for it. Where the key is gone, as after a loss of the data, a process that
 * knew it puts it back. Throws `StoreUnavailable`.
 */
export async function readPseudonymKey(store: Store): Promise<string> {
  const name = store.keys.pseudonymKey();
  const own = known.get(store.connection) ?? new Map<string, KnownKey>();
  known.set(store.connection, own);
  const last = own.get(name);
  const refresh = async (): Promise<string> => {
    const key = await readOrMake(store, name, last?.key ?? randomBytes(KEY_BYTES).toString('hex'));
    own.set(name, { key, readAtMs: performance.now() });
    return key;
  };
  if (!last) return refresh();
  if (performance.now() - last.readAtMs >= REFRESH_MS) {
    own.set(name, { key: last.key, readAtMs: performance.now() });
    // While Redis is away, or holds something else, the last key serves.
    void refresh().catch(() => undefined);
  }
  return last.key;
}

/** Reads before it writes, because a Redis that is full refuses any write. */
async function readOrMake({ connection }: Store, name: string, made: string): Promise<string> {
  const present = await connection.run(name, (client) => client.get(name));
  if (present !== null) return checked(name, present);
  await connection.run(name, (client) => client.set(name, made, 'NX'));
  const stored = await connection.run(name, (client) => client.get(name));
  if (stored === null) throw new StoreUnavailable(`${name} is gone again`);
  return checked(name, stored);
}

/** A key that can be guessed would make pseudonyms as weak as the tokens. */
function checked(name: string, key: string): string {
  if (/^[0-9a-f]{64}$/.test(key)) return key;
  throw new StoreUnavailable(`${name}: found something else, allowed: ${KEY_BYTES} random bytes in lower-case hex`);
}
