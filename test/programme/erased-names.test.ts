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

it.each(['members: [anna]', '- anna', 'anna', '', '{', 'a: ['])('a file without members stays: %j', (text) => {
  expect(withoutMember(text, 'anna')).toBe(text);
});
