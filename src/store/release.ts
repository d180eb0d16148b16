import { completeEnding } from './common-endings.ts';
import { buryIndexEntry, type IndexEntry, isSold, markClaim, readIndexEntry } from './index-entry.ts';
import { moveCalculation } from './merged.ts';
import { releaseSupersededScript } from './scripts/calculations.ts';
import type { Store } from './store.ts';
import { clearDue, type Owner } from './stored-calculation.ts';
import { readCommonUses } from './uses.ts';

/**
 * How a superseded calculation is released where the commit of its successor cannot do all of it: its hold is in another
 * member's slot, another member may claim its ID, or counters of all members have its units. The successor's record names it
 * until all is done. Whoever meets that record completes it: a replay, the sweep, which looks at every successor soon after
 * its call (expiry.ts), or the erasure of its member. Every step may be repeated.
 */
interface Release {
  /** The calculation whose record has the mark. */
  readonly successor: Owner;
  readonly supersededId: string;
  readonly venueId: string;
}

/**
 * Releases the superseded calculation, or leaves a tombstone for one that was never seen; then clears the mark. Returns the
 * number of holds released. Throws `StoreUnavailable`.
 */
export async function completeRelease(store: Store, release: Release): Promise<number> {
  const { keys, connection, periods } = store;
  const { successor, supersededId, venueId } = release;
  const tombstone = { kind: 'superseded', by: successor.calculationId } as const;
  let released = 0;
  for (let isTold = false; !isTold; ) {
    let entry: IndexEntry | undefined = await readIndexEntry(store, supersededId);
    entry ??= await buryIndexEntry(store, supersededId, tombstone);
    if (entry?.member === undefined || isSold(entry)) break;
    const { member } = entry;
    const reply = await releaseSupersededScript(
      connection,
      { ...keys.ofMember(member), ...keys.ofCalculation(member, supersededId) },
      {
        calculationId: supersededId,
        successorId: successor.calculationId,
        venueId,
        retentionMs: periods.retentionMs,
      },
    );
    if (reply.outcome === 'moved') {
      await moveCalculation(store, member, reply.into, supersededId);
      continue;
    }
    released += reply.holdsReleased;
    await releaseCommon(store, { calculationId: supersededId, member }, reply.common);
    isTold = reply.isCommitted || (await markClaim(store, supersededId, member, tombstone));
  }
  await clearDue(store, successor, 'release');
  return released;
}

/**
 * Completes the release of a calculation that the commit of its successor has ended: only counters of all members are left. Throws
 * `StoreUnavailable`.
 */
export async function giveBackReleased(store: Store, release: Release, common: string): Promise<void> {
  const { successor, supersededId } = release;
  await releaseCommon(store, { calculationId: supersededId, member: successor.member }, common);
  await clearDue(store, successor, 'release');
}

async function releaseCommon(store: Store, superseded: Owner, common: string): Promise<void> {
  const uses = readCommonUses(common);
  if (uses.length > 0) await completeEnding(store, superseded, { uses, ending: 'release' });
}
