import type { ErrorCode, Refusal, RefusalDetails } from '@loyalty/contract/errors';
import { Latest } from './latest.ts';

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

/** The last refusals, newest first. */
export class RecentRefusals {
  /** A new list after every change, so that a reader detects a change by identity. */
  list: readonly RefusalNote[] = [];
  /** The last refusals as they came, by request ID. Strangers take no place of a caller. */
  readonly #ofCallers = new Latest<FoundRefusal>(MAX_FOUND_REFUSALS);
  readonly #ofStrangers = new Latest<FoundRefusal>(MAX_FOUND_REFUSALS);

  /** The latest refusal of a request: a caller's, because a stranger may send the ID of any request. */
  find(requestId: string): RefusalNote | undefined {
    const found = this.#ofCallers.get(requestId) ?? this.#ofStrangers.get(requestId);
    return found && noteOf(found.refusal, found.call);
  }

  add(refusal: Refusal, call: RefusedCall): void {
    const { isStranger = false, requestId, route } = call;
    const latest = isStranger ? this.#ofStrangers : this.#ofCallers;
    latest.set(requestId, { refusal, call });
    const isOfFlood = FLOODS.has(refusal.code) || isStranger || route === 'unknown';
    const merged = isOfFlood ? this.list.find((other) => isSameKind(other, refusal, call)) : undefined;
    const others = this.list.filter((other) => other !== merged);
    const note = { ...noteOf(refusal, call), count: 1 + (merged?.count ?? 0) };
    this.list = [note, ...others.slice(0, MAX_RECENT_REFUSALS - 1)];
  }
}

interface FoundRefusal {
  readonly refusal: Refusal;
  readonly call: RefusedCall;
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
