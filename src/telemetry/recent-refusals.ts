import type { ErrorCode, Refusal } from '../contract/errors.ts';

/** One refusal as it is shown to people. Like the log it never holds a loyalty ID, a signature or a part of a body. */
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
  /** Of the latest one, when there are several. */
  readonly requestId: string;
  /** How many refusals this note stands for. */
  readonly count: number;
}

/** What is known of a refused call beside its refusal. */
export type RefusedCall = Pick<RefusalNote, 'atMs' | 'route' | 'requestId'> & {
  readonly venueId?: string | undefined;
  readonly calculationId?: string | undefined;
};

export const MAX_RECENT_REFUSALS = 50;

/**
 * Refusals that come in floods, of overload or of strangers. Those of one code and field share a note: a flood must not
 * drive out the one refusal somebody is looking for.
 */
const FLOODS: ReadonlySet<ErrorCode> = new Set(['rate_limited', 'unavailable', 'invalid_signature', 'stale_timestamp']);

/** The last refusals, newest first. Recording copies a short list: it is on every refused call's way. */
export class RecentRefusals {
  /** A new list after every change, so that a reader sees by identity whether there is something new. */
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

/** The newest of several processes' lists, newest first. */
export function mergeRefusals(lists: readonly (readonly RefusalNote[])[]): RefusalNote[] {
  return lists
    .flat()
    .sort((one, other) => other.atMs - one.atMs)
    .slice(0, MAX_RECENT_REFUSALS);
}
