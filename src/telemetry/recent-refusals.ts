import type { ErrorCode, Refusal, RefusalDetails } from '@loyalty/contract/errors';

/**
 * One refusal as shown to people. Like the log, it contains neither a loyalty ID nor a signature nor a part of a body.
 */
export interface RefusalNote extends Pick<Refusal, 'code' | 'status' | 'message'>, RefusalDetails {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly route: string;
  readonly venueId?: string;
  readonly calculationId?: string;
  /** The request id of the latest refusal of this note. */
  readonly requestId: string;
  /** Number of refusals in this note. */
  readonly count: number;
}

/** The facts about a refused call beside its refusal. */
export type RefusedCall = Pick<RefusalNote, 'atMs' | 'route' | 'requestId'> & {
  readonly venueId?: string | undefined;
  readonly calculationId?: string | undefined;
  /** The caller is not authenticated. */
  readonly isStranger?: boolean;
};

export const MAX_RECENT_REFUSALS = 50;

/** So many are found by their request ID, each one of a flood too, and as many of strangers. */
export const MAX_FOUND_REFUSALS = 1_000;

/**
 * Codes of refusals that come in floods, from overload or from strangers. Floods with the same code, route and field
 * share a note, so that they do not push out the one refusal that an operator is looking for.
 */
const FLOODS: ReadonlySet<ErrorCode> = new Set(['rate_limited', 'unavailable', 'invalid_signature', 'stale_timestamp']);

/** The last refusals, newest first. A flood changes the note in front, so that a refused call copies no list. */
export class RecentRefusals {
  #notes: readonly RefusalNote[] = [];
  /** The latest of a flood, which has not been read yet, in the place of the first note. */
  #front: { note: RefusalNote; latest: RefusedCall; refusal: Refusal; more: number } | undefined;

  /** The last refusals as they came, which cost a flood nothing but their places. Strangers take no place of a caller. */
  readonly #ofCallers = new Ring();
  readonly #ofStrangers = new Ring();

  /** A new list after every change, so that a reader detects a change by identity. */
  get list(): readonly RefusalNote[] {
    if (this.#front && this.#front.more > 0) {
      const { note, latest, refusal, more } = this.#front;
      const front = { ...noteOf(refusal, latest), count: note.count + more };
      this.#notes = [front, ...this.#notes.slice(1)];
      this.#front = { ...this.#front, note: front, more: 0 };
    }
    return this.#notes;
  }

  /** The latest refusal of a request: a caller's, because a stranger may send the ID of any request. */
  find(requestId: string): RefusalNote | undefined {
    const found = this.#ofCallers.find(requestId) ?? this.#ofStrangers.find(requestId);
    return found && noteOf(found.refusal, found.call);
  }

  add(refusal: Refusal, call: RefusedCall): void {
    const ring = call.isStranger ? this.#ofStrangers : this.#ofCallers;
    ring.add({ refusal, call });
    const isOfFlood = FLOODS.has(refusal.code) || call.isStranger === true || call.route === 'unknown';
    if (isOfFlood && this.#front && isSameKind(this.#front.note, refusal, call)) {
      this.#front.latest = call;
      this.#front.refusal = refusal;
      this.#front.more += 1;
      return;
    }
    const { list } = this;
    const merged = isOfFlood ? list.find((other) => isSameKind(other, refusal, call)) : undefined;
    const others = merged ? list.filter((other) => other !== merged) : list;
    const note = { ...noteOf(refusal, call), count: 1 + (merged?.count ?? 0) };
    this.#notes = [note, ...others.slice(0, MAX_RECENT_REFUSALS - 1)];
    this.#front = { note, latest: call, refusal, more: 0 };
  }
}

interface FoundRefusal {
  readonly refusal: Refusal;
  readonly call: RefusedCall;
}

/** The last refusals, in a bounded number of places. */
class Ring {
  readonly #places: FoundRefusal[] = [];
  #next = 0;

  add(found: FoundRefusal): void {
    this.#places[this.#next] = found;
    this.#next = (this.#next + 1) % MAX_FOUND_REFUSALS;
  }

  find(requestId: string): FoundRefusal | undefined {
    const [newer, older] = [this.#places.slice(0, this.#next), this.#places.slice(this.#next)];
    return [...older, ...newer].findLast(({ call }) => call.requestId === requestId);
  }
}

function noteOf(
  { code, status, message, details }: Refusal,
  { atMs, route, requestId, venueId, calculationId }: RefusedCall,
): RefusalNote {
  return {
    atMs,
    route,
    code,
    status,
    message,
    ...details,
    ...(venueId !== undefined && { venueId }),
    ...(calculationId !== undefined && { calculationId }),
    requestId,
    count: 1,
  };
}

function isSameKind(note: RefusalNote, { code, details }: Refusal, { route }: RefusedCall): boolean {
  return note.code === code && note.route === route && note.field === details?.field;
}

/** Merges the lists of several processes, newest first. */
export function mergeRefusals(lists: readonly (readonly RefusalNote[])[]): RefusalNote[] {
  return lists
    .flat()
    .sort((one, other) => other.atMs - one.atMs)
    .slice(0, MAX_RECENT_REFUSALS);
}
