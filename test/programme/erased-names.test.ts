/** An erased member stands in no configuration of earlier, however the file writes the ID, and the file is otherwise as it was written. */
import { expect, it } from 'vitest';
import { withoutMember } from '../../src/programme/without-member.ts';

const erased = (text: string, loyaltyId: string) => withoutMember(text, loyaltyId).replaceAll(/erased-\d+/g, 'ID');

it.each([
  ['an escaped letter', 'members: [{ loyaltyId: "\\u00e5sa" }]', 'åsa', 'members: [{ loyaltyId: ID }]'],
  ['an escaped quote', 'members: [{ loyaltyId: "a\\"b" }]', 'a"b', 'members: [{ loyaltyId: ID }]'],
  ['a doubled apostrophe', "testMembers: ['o''hara']", "o'hara", 'testMembers: [ID]'],
  ['an alias', 'x-a: &a anna\nmembers: [{ loyaltyId: *a }]', 'anna', 'x-a: &a ID\nmembers: [{ loyaltyId: *a }]'],
  [
    'a member that is an alias',
    'x-m: &m { loyaltyId: anna }\nmembers: [*m]',
    'anna',
    'x-m: &m { loyaltyId: ID }\nmembers: [*m]',
  ],
  [
    'a list that is an alias',
    'x-l: &l [{ loyaltyId: anna }]\nmembers: *l',
    'anna',
    'x-l: &l [{ loyaltyId: ID }]\nmembers: *l',
  ],
  [
    'several merge keys, of which the first counts',
    'x-n: &n { tier: a }\nx-m: &m { loyaltyId: anna }\nmembers: [{ <<: [*n, *m] }]',
    'anna',
    'x-n: &n { tier: a }\nx-m: &m { loyaltyId: ID }\nmembers: [{ <<: [*n, *m] }]',
  ],
  [
    'a merge key at the top',
    'x-m: &m { testMembers: [anna] }\n<<: *m',
    'anna',
    'x-m: &m { testMembers: [ID] }\n<<: *m',
  ],
  [
    'one place that stands for two',
    'members: [{ loyaltyId: &a anna }]\ntestMembers: [*a]',
    'anna',
    'members: [{ loyaltyId: &a ID }]\ntestMembers: [*a]',
  ],
])('by %s', (_, text, loyaltyId, expected) => {
  expect(erased(text, loyaltyId)).toBe(expected);
});

it.each([
  'members: [anna]',
  '- anna',
  'anna',
  '',
  'note: anna',
  'members: anna',
  'testMembers: anna',
  'members: [[anna]]',
  'testMembers: [[anna]]',
])('a file in which no member has the ID stays: %j', (text) => {
  expect(withoutMember(text, 'anna')).toBe(text);
});

it('a file without one member is otherwise as it was written', () => {
  const text = `# a comment
programmes:
  - programmeId: "4711"  # also a number
members:
  - { programmeId: club, loyaltyId: "4711", status: active }
  - { programmeId: club, loyaltyId: berit, status: active } # stays
testMembers: [4711, berit]
`;
  expect(erased(text, '4711')).toBe(text.replace('loyaltyId: "4711"', 'loyaltyId: ID').replace('[4711', '[ID'));
  expect(withoutMember(text, 'nobody')).toBe(text);
  const names = withoutMember(text, '4711').match(/erased-\d+/g)!;
  expect(names).toHaveLength(new Set(names).size);
});
