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

it('a file without one member is otherwise as it was written', () => {
  const text = `# a comment
programmes:
  - programmeId: "4711"  # also a number
members:
  - { programmeId: club, loyaltyId: "4711", status: active }
  - { programmeId: club, loyaltyId: berit, status: active } # stays
testMembers: [4711, berit]
`;
  const without = withoutMember(text, '4711');
  expect(without.replaceAll(/erased-\d+/g, 'erased')).toBe(
    text.replace('loyaltyId: "4711"', 'loyaltyId: erased').replace('[4711', '[erased'),
  );
  expect(withoutMember(text, 'nobody')).toBe(text);
  expect(without.match(/erased-\d+/g)).toHaveLength(new Set(without.match(/erased-\d+/g)).size);
  // An ID is a member's only where a member has it, however it is written.
  for (const other of ['- 4711', 'note: 4711', 'members: 4711', 'members: [4711, [4711]]', 'testMembers: 4711']) {
    expect(withoutMember(other, '4711')).toBe(other);
  }
  expect(withoutMember('members: [{ loyaltyId: "a\\"b" }]', 'a"b')).toMatch(
    /^members: \[\{ loyaltyId: erased-\d+ \}\]$/,
  );
  expect(withoutMember('testMembers: [b, anna]', 'anna')).toMatch(/^testMembers: \[b, erased-\d+\]$/);
});
