import type { ErrorCode, Refusal } from '../contract/errors.ts';

/**
 * One refusal as shown to people. Like the log, it contains neither a loyalty ID nor a signature nor a part of a body.
 */
export interface RefusalNote {
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly route: string;
  readonly code: ErrorCode;
  readonly status: number;
  readonly message: string;
  /** A JSON Pointer into the body, or the name of a header. */
  readonly field?: string;
  readonly expected?: string | number;
  readonly received?: string | number;
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
};

export const MAX_RECENT_REFUSALS = 50;

/**
 * Codes of refusals that come in floods, from overload or from strangers. Floods with the same code, route and field
 * share a note, so that they do not push out the one refusal that an operator is looking for.
 */
const FLOODS: ReadonlySet<ErrorCode> = new Set(['rate_limited', 'unavailable', 'invalid_signature', 'stale_timestamp']);

/** The last refusals, newest first. Every refused call copies the list, so it is short. */
export class RecentRefusals {
  /** A new list after every change, so that a reader detects a change by identity. */
  list: readonly RefusalNote[] = [];

  add(refusal: Refusal, { atMs, route, requestId, venueId, calculationId }: RefusedCall): void {
    const { code, status, message, details } = refusal;
    const note: RefusalNote = {
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
    const isOfFlood = FLOODS.has(code) || route === 'unknown';
    const merged = isOfFlood ? this.list.find((other) => isSameKind(other, note)) : undefined;
    const others = merged ? this.list.filter((other) => other !== merged) : this.list;
    this.list = [{ ...note, count: 1 + (merged?.count ?? 0) }, ...others.slice(0, MAX_RECENT_REFUSALS - 1)];
  }
}

function isSameKind(one: RefusalNote, other: RefusalNote): boolean {
  return one.code === other.code && one.route === other.route && one.field === other.field;
}

/** Merges the lists of several processes, newest first. */
export function mergeRefusals(lists: readonly (readonly RefusalNote[])[]): RefusalNote[] {
  return lists
    .flat()
    .sort((one, other) => other.atMs - one.atMs)
    .slice(0, MAX_RECENT_REFUSALS);
}
