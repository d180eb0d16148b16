import { CALLER_TIMEOUT_MS } from '@loyalty/contract/limits';
import { DeadlinePassed } from '../redis/failure.ts';
import { eventsKey } from './events.ts';
import type { MemberToken } from './keys.ts';
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
  remainingMs: () => number,
): Promise<ClaimOutcome> {
  let taken: TakenOver = { replaceable: undefined, tombstone: undefined };
  while (remainingMs() > 0) {
    const claim = { member, leftMs: Math.max(0, remainingMs()) };
    const written = await put(store, { calculationId, claim, ...taken });
    if (written.outcome === 'written') return { outcome: 'claimed', tombstone: written.tombstone };
    const { entry, isPast } = written;
    if (entry.member === undefined) {
      taken = takeOver(entry);
      continue;
    }
    const other = await readCommitment(store, calculationId, entry.member);
    if (other.isAnswered) return { outcome: 'answered', by: entry.member };
    if (isPast || other.isCommitted) taken = takeOver(entry, other.tombstone);
    else await new Promise((resolve) => setTimeout(resolve, CLAIM_POLL_MS));
  }
  throw new DeadlinePassed('another call holds this calculation ID');
}

type TakenOver = Pick<NewEntry, 'replaceable' | 'tombstone'>;

/**
 * What a claim replaces, and the tombstone that it keeps: that of the entry, or of its member's slot. A sale event outranks a successor,
 * because its outcome must be kept; after either one the calculation takes no hold.
 */
function takeOver({ text, tombstone }: IndexEntry, inSlot?: Tombstone): TakenOver {
  return { replaceable: text, tombstone: inSlot?.kind === 'sale' ? inSlot : (tombstone ?? inSlot) };
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
  const replaceable = replaced?.text;
  const written = await put(store, { calculationId, claim: NOBODYS, tombstone, replaceable, deadlineMs, event });
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
  const marked = { member, tail: renderTombstone(tombstone), retentionMs, event };
  return markClaimScript(store.connection, keysOf(store, calculationId), marked);
}

function keysOf(store: Store, calculationId: string) {
  return { index: store.keys.index(calculationId), events: eventsKey(store, calculationId) };
}

/** An entry to be written. */
interface NewEntry {
  readonly calculationId: string;
  /** Whose it is, and the time left of the call. */
  readonly claim: { readonly member: string; readonly leftMs: number };
  readonly tombstone: Tombstone | undefined;
  /** The text of the entry that may be replaced. */
  readonly replaceable: string | undefined;
  /** The instant of the clock of the entry's slot after which nothing is written. */
  readonly deadlineMs?: number | undefined;
  readonly event?: string | undefined;
}

/** What stands for nobody, and for nothing, in the text of an entry. */
const NONE = '-';
/** The claim of an entry that is a tombstone alone. */
const NOBODYS: NewEntry['claim'] = { member: NONE, leftMs: 0 };

type PutOutcome =
  | { readonly outcome: 'written'; readonly tombstone: Tombstone | undefined }
  | { readonly outcome: 'present'; readonly entry: IndexEntry; readonly isPast: boolean };

async function put(store: Store, entry: NewEntry): Promise<PutOutcome> {
  const { calculationId, claim, tombstone, replaceable, deadlineMs, event = '' } = entry;
  const { retentionMs } = store.periods;
  const reply = await claimIndexScript(store.connection, keysOf(store, calculationId), {
    ...claim,
    tail: renderTombstone(tombstone),
    replaceable,
    deadlineMs,
    event,
    retentionMs,
    longestMs: CALLER_TIMEOUT_MS,
  });
  if (reply.outcome === 'too_late') throw new DeadlinePassed();
  return reply.outcome === 'written'
    ? { outcome: 'written', tombstone: parseTombstone(reply.tail) }
    : { ...reply, entry: parseIndexEntry(reply.entry) };
}

/** Reads the state of a calculation in the slot of the member that has the ID. */
async function readCommitment(store: Store, calculationId: string, member: MemberToken) {
  const { keys, connection } = store;
  // The order matters: a sale event between the two reads is either seen here, or itself sees that the answer has
  // expired.
  const [answers, { fingerprint, sale, supersededBy }] = await Promise.all([
    connection.run(keys.answer(member, calculationId), (client, key) => client.exists(key)),
    readSome(store, { member, calculationId }, 'fingerprint', 'sale', 'supersededBy'),
  ]);
  const successor: Tombstone | undefined =
    supersededBy === undefined ? undefined : { kind: 'superseded', by: supersededBy };
  const tombstone: Tombstone | undefined = sale ? { kind: 'sale', outcome: outcomeText(sale) } : successor;
  return { isCommitted: fingerprint !== undefined, isAnswered: answers === 1, tombstone };
}

/** Parses an entry. Throws when the text is malformed. */
export function parseIndexEntry(text: string): IndexEntry {
  const match = /^(\S+) \S+ \d+ (.*)/s.exec(text);
  if (!match) throw new Error('An index entry is not of its form.');
  const member = match[1] === NONE ? undefined : (match[1] as MemberToken);
  return { member, tombstone: parseTombstone(match[2] as string), text };
}

function renderTombstone(tombstone: Tombstone | undefined): string {
  if (!tombstone) return NONE;
  return tombstone.kind === 'sale' ? `sale:${tombstone.outcome}` : `superseded:${tombstone.by}`;
}

function parseTombstone(tail: string): Tombstone | undefined {
  if (tail.startsWith('sale:')) return { kind: 'sale', outcome: tail.slice('sale:'.length) };
  if (tail.startsWith('superseded:')) return { kind: 'superseded', by: tail.slice('superseded:'.length) };
  return undefined;
}
