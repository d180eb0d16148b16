import type { Json } from '../../openapi/schemas.ts';
import { MAX_MOVED_DAYS, MAX_MOVED_MINUTES } from './clock-move.ts';
import { count, described, instant, object, text } from './schema-words.ts';

/** The schemas of test members' clocks. */

const seconds: Json = { type: 'number' };
const member = { programmeId: text, loyaltyId: text };

const clock = {
  ...member,
  now: described(instant, 'The time by its clock.'),
  aheadSeconds: described(seconds, 'Below 0 when its clock is behind, 0 when it is right.'),
  until: described(instant, 'It is right again from here on.'),
};

export const Clock = object(clock, ['until']);

export const ClockMoved = object(
  {
    ...clock,
    aged: described(
      object({
        bySeconds: seconds,
        calculations: count,
        holds: described(count, 'That have ended by it.'),
        answers: described(count, 'That are not replayed any more: their keys are free.'),
      }),
      'The calculations of the member that are older now.',
    ),
  },
  ['until'],
);

export const ClockMove: Json = {
  ...object(
    {
      ...member,
      to: described(instant, 'The time that its clock is to show. This or `aheadSeconds`.'),
      aheadSeconds: {
        ...{ type: 'integer', minimum: 1, maximum: MAX_MOVED_DAYS * 86_400 },
        description: 'So far on from where its clock is.',
      },
      forMinutes: { type: 'integer', minimum: 1, maximum: MAX_MOVED_MINUTES, default: 60 },
    },
    ['to', 'aheadSeconds', 'forMinutes'],
  ),
  additionalProperties: false,
};
