import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '../redis/failure.ts';
import { type MemberToken, memberToken } from './keys.ts';
import { replaceMember } from './member-writes.ts';
import { readMember, type StoredMember } from './members.ts';
import type { Store } from './store.ts';

/**
 * Changes that depend on what is stored of a member, such as one more grant. Each reads the member, and writes only
 * while the member is still as it was read; otherwise it starts again. Changes of one member wait for each other in a
 * process, so that only other processes can come between: thirty at once need thirty writes and not nine hundred.
 */

/** Each try loses only to a change that succeeded, so this many losses in a row mean a flood of changes. */
const MAX_TRIES = 100;
/** The longest wait before the next try. Random waits keep two processes from colliding again and again. */
const MAX_WAIT_MS = 20;

/** The last change of each member that this process has under way, by the name of its key. */
const underWay = new Map<string, Promise<unknown>>();

/** The member to store instead, or the reason to leave it as it is. */
export type Change<Refusal> =
  | { readonly outcome: 'write'; readonly member: StoredMember }
  | { readonly outcome: 'refuse'; readonly refusal: Refusal };

/** `mergedInto` is the loyalty ID of the member that it was merged into. */
export type Decide<Refusal> = (stored: StoredMember | undefined, mergedInto?: string) => Change<Refusal>;

/**
 * Changes a stored member. `decide` gets the stored member, undefined where there is none, and may be called several
 * times; it refuses or names the member to write. Returns what was written or refused. Throws `StoreUnavailable`, also
 * when other processes changed the member before each of a hundred tries.
 */
export async function changeMember<Refusal>(
  store: Store,
  { programmeId, loyaltyId }: Pick<StoredMember, 'programmeId' | 'loyaltyId'>,
  decide: Decide<Refusal>,
): Promise<Change<Refusal>> {
  const member = { token: memberToken(programmeId, loyaltyId), programmeId, loyaltyId };
  return inTurn(store.keys.member(member.token), () => tryToChange(store, member, decide));
}

async function tryToChange<Refusal>(
  store: Store,
  named: { readonly token: MemberToken; readonly programmeId: string; readonly loyaltyId: string },
  decide: Decide<Refusal>,
): Promise<Change<Refusal>> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const { member: stored, mergedInto } = await readMember(store, named, false);
    const change = decide(stored, mergedInto);
    if (change.outcome === 'refuse') return change;
    if (await replaceMember(store, stored, change.member)) return change;
    await sleep(Math.random() * Math.min(MAX_WAIT_MS, tries + 1));
  }
  throw new StoreUnavailable('other processes changed the member again and again');
}

async function inTurn<Result>(key: string, run: () => Promise<Result>): Promise<Result> {
  const before = underWay.get(key) ?? Promise.resolve();
  // The change before reports its own error to its own caller.
  const own = before.catch(() => undefined).then(run);
  underWay.set(key, own);
  try {
    return await own;
  } finally {
    if (underWay.get(key) === own) underWay.delete(key);
  }
}
