import { Identifier } from '@loyalty/contract/scalars';
import { Type } from '@loyalty/contract/schema-type';
import { anyOf, type Condition, compileNames } from './condition.ts';

/** `tiers`: the member has one of these tiers. */
export const tiers: Condition<readonly string[], ReadonlySet<string>> = {
  schema: Type.Array(Identifier),
  label: 'tiers',
  unrestricted: 'every member',
  reason: 'other_tier',
  compile: compileNames,
  isMet: (names, { member }) => member.tier !== undefined && names.has(member.tier),
  words(closing, { member }) {
    const names = anyOf(closing);
    const own = member.tier === undefined ? 'has no tier' : `is ${member.tier}`;
    return {
      change: `tier ${names}`,
      explanation: `It is for members of the tier ${names}; this member ${own}.`,
    };
  },
};
