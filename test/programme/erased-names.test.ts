/** An erased member stands in no configuration of earlier, however the file writes the ID. */
import { expect, it } from 'vitest';
import { withoutMember } from '../../src/programme/without-member.ts';

it.each([
  ['letters as JSON of other programs writes them', '{"members":[{"loyaltyId":"\\u00e5sa"}]}', 'åsa'],
  ['an escaped letter', 'members: [{ loyaltyId: "\\x61nna" }]', 'anna'],
  ['an apostrophe that is doubled', "members: [{ loyaltyId: 'o''hara' }]", "o'hara"],
  ['a test member that is doubled', "testMembers: ['o''hara']", "o'hara"],
])('%s', (_, text, loyaltyId) => {
  const erased = withoutMember(text, loyaltyId);
  expect(erased.replace(/erased-\d+/, 'ID')).toBe(text.replace(/"[^"]*\\[^"]*"|'[^']*''[^']*'/, 'ID'));
});

it.each([
  ['an alias', 'x-a: &a anna\nmembers: [{ loyaltyId: *a }]', 'x-a: &a ID\nmembers: [{ loyaltyId: *a }]'],
  [
    'a member that is an alias',
    'x-m: &m { loyaltyId: anna }\nmembers: [*m]',
    'x-m: &m { loyaltyId: ID }\nmembers: [*m]',
  ],
  ['a list that is an alias', 'x-l: &l [{ loyaltyId: anna }]\nmembers: *l', 'x-l: &l [{ loyaltyId: ID }]\nmembers: *l'],
  [
    'a merge key',
    'x-m: &m { loyaltyId: anna }\nmembers: [{ <<: *m }]',
    'x-m: &m { loyaltyId: ID }\nmembers: [{ <<: *m }]',
  ],
  [
    'several merge keys, of which the first counts',
    'x-n: &n { tiers: [] }\nx-m: &m { loyaltyId: anna }\nmembers: [{ <<: [*n, *m] }]',
    'x-n: &n { tiers: [] }\nx-m: &m { loyaltyId: ID }\nmembers: [{ <<: [*n, *m] }]',
  ],
  ['a merge key at the top', 'x-m: &m { testMembers: [anna] }\n<<: *m', 'x-m: &m { testMembers: [ID] }\n<<: *m'],
  [
    'one place that stands for two',
    'members: [{ loyaltyId: &a anna }]\ntestMembers: [*a]',
    'members: [{ loyaltyId: &a ID }]\ntestMembers: [*a]',
  ],
  [
    'a merge key that names nothing',
    'members: [{ <<: *m }, { loyaltyId: anna }]',
    'members: [{ <<: *m }, { loyaltyId: ID }]',
  ],
])('by %s', (_, text, expected) => {
  expect(withoutMember(text, 'anna').replace(/erased-\d+/g, 'ID')).toBe(expected);
});

it.each(['members: [anna]', '- anna', 'anna', '', '{', 'a: ['])('a file without members stays: %j', (text) => {
  expect(withoutMember(text, 'anna')).toBe(text);
});
