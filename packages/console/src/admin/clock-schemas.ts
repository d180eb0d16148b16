import { type Static, Type } from '@loyalty/contract/schema-type';
import { closed, count, described, instant, number, object, optional, text } from './schema-words.ts';

/** The schemas of test members' clocks. */

export const MAX_MOVED_DAYS = 366;
export const MAX_MOVED_MINUTES = 24 * 60;
export const USUAL_MOVED_MINUTES = 60;
const SECONDS_PER_DAY = 86_400;

const member = { programmeId: text, loyaltyId: text };

const clock = {
  ...member,
  now: described(instant, 'The time by its clock.'),
  aheadSeconds: described(number, 'Below 0 when its clock is behind, 0 when it is right.'),
  until: optional(described(instant, 'It is right again from here on.')),
};

export const Clock = object(clock);

export const ClockMoved = object({
  ...clock,
  aged: described(
    object({
      bySeconds: number,
      calculations: count,
      holds: described(count, 'That have ended by it.'),
      answers: described(count, 'That are not replayed any more: their keys are free.'),
    }),
    'The calculations of the member that are older now.',
  ),
});

export const ClockMove = closed({
  ...member,
  to: optional(described(instant, 'The time that its clock is to show. This or `aheadSeconds`.')),
  aheadSeconds: optional(
    Type.Integer({
      ...{ minimum: 1, maximum: MAX_MOVED_DAYS * SECONDS_PER_DAY },
      description: 'How far on its clock is to go from where it is.',
    }),
  ),
  forMinutes: optional(Type.Integer({ minimum: 1, maximum: MAX_MOVED_MINUTES, default: USUAL_MOVED_MINUTES })),
});
export type ClockMove = Static<typeof ClockMove>;
