/** What the live page says of a basket's time. */
import { expect, test } from 'vitest';
import { describeClock, describeGrant } from '../../src/ops/pages/live/explanation-wording.ts';

const right = { offsetSeconds: 1, isOff: false };
const window = { pastHours: 2, aheadMinutes: 10 };

test.each([
  ['nothing of a time that counts', right, ''],
  ['nothing where a time was given', undefined, ''],
  [
    'how far it is off',
    { ...window, offsetSeconds: -5 * 3600, isOff: true },
    ' That is 5 hours behind our clock, and outside the window of 2 hours back and 10 minutes ahead: benefits that go by the time are left out.',
  ],
  [
    'that the clock was moved',
    { ...right, movedSeconds: 1800 },
    ' The clock of this test member was moved 30 minutes ahead.',
  ],
  ['how far back', { ...right, movedSeconds: -86_400 }, ' The clock of this test member was moved 24 hours back.'],
])('%s', (_, clock, words) => {
  expect(describeClock(clock)).toBe(words);
});

test('both, where a moved clock meets a till that is wrong', () => {
  const words = describeClock({ ...window, offsetSeconds: 1200, isOff: true, movedSeconds: 60 });
  expect(words).toMatch(/moved 1 minute ahead\. That is 20 minutes ahead of our clock/);
});

test('a grant whose benefit the configuration no longer has is shown as ended', () => {
  const benefits = [{ benefitId: 'twenty' }];
  expect(describeGrant('twenty', benefits)).toBe('twenty');
  expect(describeGrant({ benefitId: 'twenty', grantId: 'card-7' }, benefits)).toBe('card-7');
  expect(describeGrant({ benefitId: 'last-winter', grantId: 'w-1' }, benefits)).toBe(
    'w-1 (ended: the configuration no longer has last-winter)',
  );
});
