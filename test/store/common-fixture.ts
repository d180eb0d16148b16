import { randomUUID } from 'node:crypto';
import { CommonHolds } from '../../src/calls/common-holds.ts';
import type { ReadCall } from '../../src/calls/read-call.ts';
import { type Commit, commitCalculation, findSupersession } from '../../src/store/calculations.ts';
import { readCommon } from '../../src/store/common-limits.ts';
import { readIndexEntry } from '../../src/store/index-entry.ts';
import { type MemberToken, memberToken } from '../../src/store/keys.ts';
import type { Store } from '../../src/store/store.ts';
import type { Use } from '../../src/store/uses.ts';
import { counterAt } from '../../src/store/uses.ts';
import { until } from '../support/wait.ts';
import { commitOf } from './fixture.ts';

/** Calculations that draw on a limit over all members, as a worker makes them. */

export const PLACE = { programmeId: 'coffee-club', venueId: 'oslo-central' };
export const GIFT = 'gift~programme:*';

export function giftOf(more: Partial<Use> = {}): Use {
  return { usageKey: GIFT, units: 1, limit: 3, of: 'programme', ...more };
}

export const counterOf = (use: Use = giftOf()) => counterAt(PLACE, use);

/** A member whom nobody else is. */
export const somebody = (): MemberToken => memberToken(PLACE.programmeId, randomUUID());

export interface Wish extends Partial<Commit> {
  readonly use?: Use;
  /** Further uses of the same answer. */
  readonly more?: readonly Use[];
  readonly superseding?: string;
  /** Runs after the units are held, before the commit. */
  readonly between?: () => Promise<unknown>;
}

/** Holds, commits and confirms. */
export async function calculateCommon(store: Store, wish: Wish = {}) {
  const { use = giftOf(), more: others = [], superseding, between, ...more } = wish;
  const commit = commitOf({ member: somebody(), uses: [], ...more });
  const { calculationId, member } = commit;
  const entry = await readIndexEntry(store, calculationId);
  const supersedes =
    superseding === undefined ? undefined : findSupersession(superseding, await readIndexEntry(store, superseding));
  const { programmeId, venueId } = PLACE;
  const read = { basket: { calculationId }, venue: { venueId, programme: { programmeId } } } as unknown as ReadCall;
  const commonHolds = new CommonHolds(store, read);
  const held = await commonHolds.hold({ memberKey: member, supersedes }, [use, ...others], 400);
  if (held.outcome === 'shortage') return { commit, ...held };
  await between?.();
  const common = { uses: held.uses, lent: held.lent };
  const committed = await commitCalculation(store, { ...commit, entry, supersedes, common });
  if (committed.outcome === 'committed') commonHolds.confirm(committed.holdsCommon ? held.uses : []);
  return { commit, ...committed };
}

/** What the counter says, once nothing is under way any more. */
export async function booksOf(store: Store, use: Use = giftOf()) {
  const { consumed, overRedeemed, held } = (await readCommon(store, PLACE, [use])).get(use.usageKey)!;
  return { consumed, over: overRedeemed, held };
}

/** Waits until the counter says so: what is given back and confirmed is not waited for by any call. */
export async function expectBooks(store: Store, books: Awaited<ReturnType<typeof booksOf>>, use: Use = giftOf()) {
  await until(`the counter to be ${JSON.stringify(books)}`, async () => {
    const found = await booksOf(store, use);
    return JSON.stringify(found) === JSON.stringify(books) ? found : undefined;
  });
}
