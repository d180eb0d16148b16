import { parseDateTime } from '../../contract/date-time.ts';

/** The body of a move of a test member's clock. */

export const MAX_MOVED_DAYS = 366;
export const MAX_MOVED_MINUTES = 24 * 60;
const USUAL_MINUTES = 60;
const SECONDS_PER_DAY = 86_400;
const MS_PER_SECOND = 1000;
const NAMES = ['programmeId', 'loyaltyId', 'to', 'aheadSeconds', 'forMinutes'];

/** A move to a time, or on from where the clock is. */
export type ClockMove = {
  readonly programmeId: string;
  readonly loyaltyId: string;
  readonly lastsMinutes: number;
} & ({ readonly toMs: number } | { readonly aheadMs: number });

/** Reads a move. Returns a sentence that names the fault. */
export function readClockMove(value: unknown): ClockMove | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return 'the body: found no mapping, allowed: a mapping';
  }
  const said = value as Record<string, unknown>;
  const unknown = Object.keys(said).find((name) => !NAMES.includes(name));
  if (unknown !== undefined) return `the body: found the unknown field ${show(unknown)}, allowed: ${NAMES.join(', ')}`;
  const { programmeId, loyaltyId, to, aheadSeconds, forMinutes = USUAL_MINUTES } = said;
  if (typeof programmeId !== 'string') return `programmeId: found ${show(programmeId)}, allowed: a programme`;
  if (typeof loyaltyId !== 'string') return `loyaltyId: found ${show(loyaltyId)}, allowed: a test member`;
  if (!isWholeUpTo(forMinutes, MAX_MOVED_MINUTES)) {
    return `forMinutes: found ${show(forMinutes)}, allowed: a whole number from 1 to ${MAX_MOVED_MINUTES}`;
  }
  if ((to === undefined) === (aheadSeconds === undefined)) {
    return `the body: found ${to === undefined ? 'neither' : 'both'} of to and aheadSeconds, allowed: one of them`;
  }
  const member = { programmeId, loyaltyId, lastsMinutes: forMinutes };
  if (to === undefined) {
    const most = MAX_MOVED_DAYS * SECONDS_PER_DAY;
    if (isWholeUpTo(aheadSeconds, most)) return { ...member, aheadMs: aheadSeconds * MS_PER_SECOND };
    return `aheadSeconds: found ${show(aheadSeconds)}, allowed: a whole number from 1 to ${most}`;
  }
  const toMs = typeof to === 'string' ? parseDateTime(to) : undefined;
  return toMs === undefined ? `to: found ${show(to)}, allowed: an RFC 3339 date-time` : { ...member, toMs };
}

function isWholeUpTo(value: unknown, most: number): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= most;
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}
