import { Identifier } from '@loyalty/contract/scalars';
import { Type } from '@loyalty/contract/schema-type';
import { anyOf, type Condition, compileNames } from './condition.ts';

/** `venueIds`: the basket is from one of these venues. */
export const venueIds: Condition<readonly string[], ReadonlySet<string>> = {
  schema: Type.Array(Identifier),
  label: 'venues',
  unrestricted: 'every venue',
  reason: 'other_venue',
  compile: compileNames,
  isMet: (names, { venue }) => names.has(venue.venueId),
  words(closing, { venue }) {
    const names = anyOf(closing);
    return { change: `at ${names}`, explanation: `It runs at ${names}; this basket is from ${venue.venueId}.` };
  },
};
