import { CALLER_TIMEOUT_MS } from '@loyalty/contract/limits';
import { DeadlinePassed } from '../redis/failure.ts';
import { eventStream, type MemberToken } from './keys.ts';
import { outcomeText } from './sale.ts';
import { claimIndexScript, markClaimScript } from './scripts/index-entries.ts';
import type { Store } from './store.ts';
import { readSome } from './stored-calculation.ts';

/**
 * The index leads from a calculation ID to the member in whose slot the calculation lives; a sale event or a
 * supersession knows the ID alone. The entry is written before the commit and therefore proves no commit: only the
 * member's slot does.
 */
export interface IndexEntry {
  /** Undefined in a tombstone. */
  readonly member: MemberToken | undefined;
  readonly tombstone: Tombstone | undefined;
  /** The entry as stored. A replacement must name it. */
  readonly text: string;
}

/** The event that arrived before the calculation itself. A calculation that finds one takes no hold. */
export type Tombstone =
  | { readonly kind: 'sale'; readonly outcome: string }
  | { readonly kind: 'superseded'; readonly by: string };

/** Whether the sale event of a calculation arrived before it. */
export function isSold({ tombstone }: IndexEntry): boolean {
  return tombstone?.kind === 'sale';
}

export type ClaimOutcome =
  | { readonly outcome: 'claimed'; readonly tombstone: Tombstone | undefined }
  /** Another member has answered it: to the same body, if two processes know its venue under two programmes. */
  | { readonly outcome: 'answered'; readonly by: MemberToken };

/** How often a call checks whether the present claim of another member was committed. */
const CLAIM_POLL_MS = 10;

/** Reads an entry; undefined when the calculation ID was never seen. */
export async function readIndexEntry(store: Store, calculationId: string): Promise<IndexEntry | undefined> {
  const text = await store.connection.run(store.keys.index(calculationId), (client, key) => client.get(key));
  return text === null ? undefined : parseIndexEntry(text);
}

/**
 * Claims a calculation ID for a member. When another member has the ID, this waits until that member's answer is
 * committed (`answered`) or its call's deadline has passed without a commit, and then takes over. `remainingMs()` is
 * the time left of the call. Throws `StoreUnavailable` when that time runs out first.
 */
export async function claimIndexEntry(
  store: Store,
  calculationId: string,
  member: MemberToken,
  fingerprint: string,
  remainingMs: () => number,
): Promise<ClaimOutcome> {
  let replaceable: string | undefined;
  let tombstone: Tombstone | undefined;
  while (remainingMs() > 0) {
    const tail = renderTombstone(tombstone);
    const written = await put(store, calculationId, { member, fingerprint, leftMs: remainingMs(), tail }, replaceable);
    if (written.outcome === 'written') return { outcome: 'claimed', tombstone: parseTombstone(written.tail) };
    const { entry, isPast } = written;
    if (entry.member === undefined) {
      [replaceable, tombstone] = [entry.text, entry.tombstone];
      continue;
    }
    const other = await readCommitment(store, calculationId, entry.member);
    if (other.isAnswered) return { outcome: 'answered', by: entry.member };
    if (isPast || other.isCommitted)
      [replaceable, tombstone] = [entry.text, weightier(entry.tombstone, other.tombstone)];
    else await new Promise((resolve) => setTimeout(resolve, CLAIM_POLL_MS));
  }
  throw new DeadlinePassed('another call holds this calculation ID');
}

/**
 * Picks the tombstone to keep. A sale event outranks a successor, because its outcome must be kept; after either one
 * the calculation takes no hold.
 */
function weightier(one: Tombstone | undefined, other: Tombstone | undefined): Tombstone | undefined {
  return other?.kind === 'sale' ? other : (one ?? other);
}

interface Burial {
  readonly deadlineMs?: number;
  readonly replaced?: IndexEntry | undefined;
  readonly event?: string;
}

/**
 * Leaves a tombstone for a calculation that was never seen, or in the place of the entry `replaced`. Returns the present
 * entry if there is another one. `deadlineMs` is an instant of the clock of the entry's slot; past it, this writes nothing and throws
 * `StoreUnavailable`. `event` is appended with it, except on a cluster.
 */
export async function buryIndexEntry(
  store: Store,
  calculationId: string,
  tombstone: Tombstone,
  { deadlineMs, replaced, event }: Burial = {},
): Promise<IndexEntry | undefined> {
  const tail = renderTombstone(tombstone);
  const entry = { member: '-', fingerprint: '-', leftMs: 0, tail };
  const written = await put(store, calculationId, entry, replaced?.text, deadlineMs, event);
  return written.outcome === 'written' ? undefined : written.entry;
}

/**
 * Copies a tombstone from a member's slot into the index entry, for a member that may take the ID over. Returns false
 * when another member has the ID by now: the tombstone must be left in that member's slot too. `event` is appended with it, except on a
 * cluster.
 */
export async function markClaim(
  store: Store,
  calculationId: string,
  member: MemberToken,
  tombstone: Tombstone,
  event = '',
): Promise<boolean> {
  const { retentionMs } = store.periods;
  const marked = { member, tail: renderTombstone(tombstone), retentionMs, event: toldHere(store, event) };
  return markClaimScript(store.connection, keysOf(store, calculationId), marked);
}

/** The stream of a calculation is in another slot of a cluster than its index entry. */
function keysOf({ connection, keys }: Store, calculationId: string) {
  const index = keys.index(calculationId);
  return { index, events: connection.isCluster ? index : keys.events(eventStream(calculationId)) };
}

function toldHere({ connection }: Store, event: string): string {
  return connection.isCluster ? '' : event;
}

type PutOutcome =
  | { readonly outcome: 'written'; readonly tail: string }
  | { readonly outcome: 'present'; readonly entry: IndexEntry; readonly isPast: boolean };

async function put(
  store: Store,
  calculationId: string,
  entry: { readonly member: string; readonly fingerprint: string; readonly leftMs: number; readonly tail: string },
  replaceable: string | undefined,
  deadlineMs?: number,
  event = '',
): Promise<PutOutcome> {
  const { connection, periods } = store;
  const written = { ...entry, leftMs: Math.max(0, entry.leftMs), retentionMs: periods.retentionMs };
  const limits = { replaceable, deadlineMs, longestMs: CALLER_TIMEOUT_MS, event: toldHere(store, event) };
  const reply = await claimIndexScript(connection, keysOf(store, calculationId), { ...written, ...limits });
  if (reply.outcome === 'too_late') throw new DeadlinePassed();
  return reply.outcome === 'written' ? reply : { ...reply, entry: parseIndexEntry(reply.entry) };
}

interface Commitment {
  readonly isCommitted: boolean;
  readonly isAnswered: boolean;
  readonly tombstone: Tombstone | undefined;
}

/** Reads the state of a calculation in the slot of the member that has the ID. */
async function readCommitment(store: Store, calculationId: string, member: MemberToken): Promise<Commitment> {
  const { keys, connection } = store;
  // The order matters: a sale event between the two reads is either seen here, or itself sees that the answer has
  // expired.
  const [answers, { fingerprint, sale, supersededBy }] = await Promise.all([
    connection.run(keys.answer(member, calculationId), (client, key) => client.exists(key)),
    readSome(store, { member, calculationId }, 'fingerprint', 'sale', 'supersededBy'),
  ]);
  const successor = supersededBy === undefined ? undefined : ({ kind: 'superseded', by: supersededBy } as const);
  return {
    isCommitted: fingerprint !== undefined,
    isAnswered: answers === 1,
    tombstone: sale ? { kind: 'sale', outcome: outcomeText(sale) } : successor,
  };
}

/** Parses an entry. Throws when the text is malformed. */
export function parseIndexEntry(text: string): IndexEntry {
  const match = /^(\S+) \S+ \d+ (.*)/s.exec(text);
  if (!match) throw new Error('An index entry is not of its form.');
  const member = match[1] === '-' ? undefined : (match[1] as MemberToken);
  return { member, tombstone: parseTombstone(match[2] as string), text };
}

function renderTombstone(tombstone: Tombstone | undefined): string {
  if (!tombstone) return '-';
  return tombstone.kind === 'sale' ? `sale:${tombstone.outcome}` : `superseded:${tombstone.by}`;
}

function parseTombstone(tail: string): Tombstone | undefined {
  if (tail.startsWith('sale:')) return { kind: 'sale', outcome: tail.slice('sale:'.length) };
  if (tail.startsWith('superseded:')) return { kind: 'superseded', by: tail.slice('superseded:'.length) };
  return undefined;
}
