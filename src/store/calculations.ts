import { firstLookMs, noteExamination } from './examinations.ts';
import { cutGiven, type Given } from './given.ts';
import { claimIndexEntry, type IndexEntry, isSold } from './index-entry.ts';
import { eventStream, type MemberToken } from './keys.ts';
import { completeRelease, giveBackReleased } from './release.ts';
import { commitScript } from './scripts/calculations.ts';
import { orLeaveUndone } from './spare-key.ts';
import { besideMember, type Store } from './store.ts';
import { readSome } from './stored-calculation.ts';
import { type CommonUse, commonText, type Use, usesText } from './uses.ts';

/** The content of a commit. What it has of the script's arguments is explained with these (scripts/calculations.ts). */
export interface Commit extends Pick<CommitArguments, Plain>, Partial<Pick<CommitArguments, Spare>> {
  readonly uses: readonly Use[];
  /** Uses of limits over all members, whose counters hold them already (common-limits.ts). */
  readonly common: {
    readonly uses: readonly CommonUse[];
    /** Units left without the superseded calculation, by usage key, of uses that take some of its units. */
    readonly lent: ReadonlyMap<string, number>;
  };
  readonly supersedes: Supersession | undefined;
  /** The index entry of its ID as it was read before; undefined where there was none. */
  readonly entry: IndexEntry | undefined;
  /** What benefits give, for whoever follows the events. */
  readonly given: Given;
  /** What support may see of the basket (calls/stored/kept-basket.ts). */
  readonly kept: Buffer;
  /** Instant of Redis' clock after which the commit is refused. */
  readonly deadlineMs: number;
  /** The time left of the call. */
  readonly remainingMs: () => number;
}

type CommitArguments = Parameters<typeof commitScript>[2];

type Plain = 'calculationId' | 'member' | 'fingerprint' | 'stored' | 'status' | 'total' | 'venueId';

/** What an answer or its member may lack. */
type Spare = 'reason' | 'tier' | 'share';

/**
 * The basket kept with a calculation is cut into fields `b0`, `b1` … of at most 64 bytes, the most that Redis' compact form of a
 * hash takes: a longer one would make each calculation ten times as large. The commit's script cuts it, because a word of a
 * command costs more than a piece of one. Two hundred lines with every name and random IDs take half of these bytes.
 */
const MAX_KEPT_BYTES = 224 * 64;

/** Whether a basket is kept: one of more bytes is not. */
export function isKept(bytes: Buffer): boolean {
  return bytes.length <= MAX_KEPT_BYTES;
}

export interface Supersession {
  readonly calculationId: string;
  /** The member of the superseded calculation by its index entry; undefined when unknown. */
  readonly member: MemberToken | undefined;
}

/**
 * The older calculation that a commit must release. Undefined if that calculation is already sold, even if its sale
 * event arrived first.
 */
export function findSupersession(calculationId: string, entry: IndexEntry | undefined): Supersession | undefined {
  return entry && isSold(entry) ? undefined : { calculationId, member: entry?.member };
}

export type CommitOutcome =
  | {
      readonly outcome: 'committed';
      readonly holdsMade: number;
      readonly holdsReleased: number;
      /** True when its uses of limits over all members hold. */
      readonly holdsCommon: boolean;
    }
  | { readonly outcome: 'replay'; readonly stored: Buffer }
  | { readonly outcome: 'conflict' }
  | { readonly outcome: 'too_late' }
  /** Somebody else has taken or marked the calculation ID, or the member was merged: both must be read again. */
  | { readonly outcome: 'changed' }
  | { readonly outcome: 'shortage'; readonly left: ReadonlyMap<string, number> };

/**
 * Commits an answer in one script, the only write of most calls: claims the calculation ID, notes it for expiry, stores the answer,
 * holds its limited benefits and releases the calculation that it supersedes. On a cluster the script is in the member's slot, and
 * claim and note come just before it. A superseded calculation in another slot is released in a second step. The stored
 * calculation records that step until it is done, so that somebody else completes it (release.ts). Once the answer is stored
 * it is given, whatever becomes of that step.
 */
export async function commitCalculation(store: Store, commit: Commit): Promise<CommitOutcome> {
  const { keys, periods } = store;
  const { uses, common, supersedes, entry, given, kept, deadlineMs, remainingMs, reason, tier, share, ...plain } =
    commit;
  const { calculationId, member, venueId } = plain;
  const claimed = isClaimedApart(store, commit) ? await claimApart(store, commit) : undefined;
  if (claimed === 'changed') return { outcome: 'changed' };
  const { tombstone } = claimed ?? entry ?? NO_ENTRY;
  const superseded = supersedes?.calculationId ?? '';
  const reply = await commitScript(
    store.connection,
    {
      ...keys.ofMember(member),
      ...keys.ofCalculation(member, calculationId),
      superseded: supersedes?.member === member ? keys.calculation(member, superseded) : undefined,
      index: besideMember(store, keys.index(calculationId)),
      examinations: besideMember(store, keys.examinations(eventStream(calculationId))),
    },
    {
      ...plain,
      ...{ reason, tier, share },
      deadlineMs: Math.floor(deadlineMs),
      holdMs: periods.holdMs,
      idempotencyMs: periods.idempotencyMs,
      retentionMs: periods.retentionMs,
      uses: usesText(uses),
      superseded: supersedes?.calculationId,
      saleBefore: tombstone?.kind === 'sale' ? tombstone.outcome : undefined,
      successorBefore: tombstone?.kind === 'superseded' ? tombstone.by : undefined,
      kept: isKept(kept) ? kept : undefined,
      common: commonText(common.uses),
      isLent: common.lent.size > 0,
      isClaimed: claimed !== undefined,
      entryRead: claimed ? undefined : entry?.text,
      lookMs: firstLookMs(store, supersedes !== undefined),
      callOverMs: firstLookMs(store, true),
      given: cutGiven(given),
    },
  );
  if (reply.outcome === 'not_lent') return { outcome: 'shortage', left: common.lent };
  if (reply.outcome !== 'committed' && reply.outcome !== 'replay') return reply;
  const release = (supersededId: string) => ({ successor: { calculationId, member }, supersededId, venueId });
  const releaseAll = (supersededId: string) =>
    orLeaveUndone(store, completeRelease(store, release(supersededId)), remainingMs);
  if (reply.outcome === 'replay') {
    if (reply.release !== '') await releaseAll(reply.release);
    return { outcome: 'replay', stored: reply.stored };
  }
  const { releaseDue, givenBack, ...committed } = reply;
  if (releaseDue === 'all') committed.holdsReleased += (await releaseAll(superseded)) ?? 0;
  // Nobody waits for counters.
  if (releaseDue === 'counters') orLeaveUndone(store, giveBackReleased(store, release(superseded), givenBack));
  return committed;
}

const NO_ENTRY: Pick<IndexEntry, 'tombstone'> = { tombstone: undefined };

/**
 * On a cluster the ID is claimed in its own slot. Elsewhere only where another member has the ID: of a process that knows the venue
 * under another programme while a configuration is rolled out.
 */
function isClaimedApart({ connection }: Store, { member, entry }: Commit): boolean {
  return connection.isCluster || (entry?.member !== undefined && entry.member !== member);
}

/** Claims the ID and notes it for expiry. An ID that another member has answered meanwhile is read again. */
async function claimApart(store: Store, commit: Commit): Promise<Pick<IndexEntry, 'tombstone'> | 'changed'> {
  const { calculationId, member, supersedes, remainingMs } = commit;
  const [claim] = await Promise.all([
    claimIndexEntry(store, calculationId, member, remainingMs),
    noteExamination(store, calculationId, supersedes !== undefined),
  ]);
  return claim.outcome === 'answered' ? 'changed' : claim;
}

export type StoredAnswer =
  | { readonly outcome: 'replay'; readonly stored: Buffer; readonly venueId: string; readonly status: string }
  | { readonly outcome: 'conflict' }
  | { readonly outcome: 'none' };

/**
 * Reads the stored answer of a calculation of the member in its index entry. `fingerprint` is called only when an
 * answer exists. A release that an earlier process left undone is completed first, unless that takes longer than `remainingMs`,
 * the time left of the call.
 */
export async function findStoredAnswer(
  store: Store,
  calculationId: string,
  member: MemberToken,
  fingerprint: () => string,
  remainingMs?: () => number,
): Promise<StoredAnswer> {
  const { connection, keys } = store;
  const owner = { calculationId, member };
  const [{ fingerprint: stored, due, venueId = '', status = '' }, answer] = await Promise.all([
    readSome(store, owner, 'fingerprint', 'due', 'venueId', 'status'),
    connection.run(keys.answer(member, calculationId), (client, key) => client.getBuffer(key)),
  ]);
  if (answer === null || stored === undefined) return { outcome: 'none' };
  if (stored !== fingerprint()) return { outcome: 'conflict' };
  if (due.release !== undefined) {
    const release = { successor: owner, supersededId: due.release, venueId };
    await orLeaveUndone(store, completeRelease(store, release), remainingMs);
  }
  return { outcome: 'replay', stored: answer, venueId, status };
}

/** The stored answer of a calculation of this member; undefined when there is none. Throws `StoreUnavailable`. */
export async function findAnswerBytes(
  { connection, keys }: Store,
  calculationId: string,
  member: MemberToken,
): Promise<Buffer | undefined> {
  return (
    (await connection.run(keys.answer(member, calculationId), (client, key) => client.getBuffer(key))) ?? undefined
  );
}
