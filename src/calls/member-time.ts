import { parseDateTime } from '../contract/date-time.ts';

/**
 * The time of a basket by the clock of its member: `requestedAt` itself, or for a test member whose clock was moved, as many
 * milliseconds later as the clock is ahead (earlier if it is behind).
 */
export function timeOfMember(requestedAt: string, { movedMs }: { readonly movedMs: number }): string {
  if (movedMs === 0) return requestedAt;
  return new Date((parseDateTime(requestedAt) ?? 0) + movedMs).toISOString();
}
