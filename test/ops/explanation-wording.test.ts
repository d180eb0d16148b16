/** What the live page says of a basket's time, of benefits that did not apply, and of what limits had left. */

import type { TracedBenefit } from '@loyalty/engine/types';
import { describe, expect, test } from 'vitest';
import {
  describeClock,
  describeGrant,
  describeLeft,
  describeReason,
  sentencesOf,
} from '../../packages/console/src/pages/live/explanation-wording.ts';

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

test('why a benefit did not apply, and the texts of those that were chosen instead', () => {
  const refused = { benefitId: 'ten', applied: false, saved: 0, reason: 'others_save_more' } as const;
  const benefit = { ...refused, explanation: 'Other benefits save the guest more.', instead: ['twenty', 'half'] };
  expect(describeReason(benefit, new Map([['twenty', '20 % off']]))).toBe(
    'Other benefits save the guest more. Chosen instead: 20 % off, half.',
  );
  expect(describeReason({ ...benefit, instead: [] }, new Map())).toBe('Other benefits save the guest more.');
});

test('a grant whose benefit the configuration no longer has is shown as ended', () => {
  const benefits = [{ benefitId: 'twenty' }];
  expect(describeGrant('twenty', benefits)).toBe('twenty');
  expect(describeGrant({ benefitId: 'twenty', grantId: 'card-7' }, benefits)).toBe('card-7');
  expect(describeGrant({ benefitId: 'last-winter', grantId: 'w-1' }, benefits)).toBe(
    'w-1 (ended: the configuration no longer has last-winter)',
  );
});

describe('the circumstances of a past basket', () => {
  const past = {
    ...{ configuration: 'abcdef123456', timeZone: 'Europe/Oslo', left: [] },
    ...{ requestedAt: '2026-11-21T11:00:00.000Z', answeredAt: '2026-11-21T14:00:00.250Z', offsetSeconds: -10_800 },
  };
  const clocksOf = (more: object) => sentencesOf({ ...past, ...more }, new Map())[0];

  test('have both clocks in the time of the venue', () => {
    expect(clocksOf({})).toBe(
      "The till's clock was 2026-11-21 12:00:00 Europe/Oslo, ours 2026-11-21 15:00:00 Europe/Oslo: 3 hours behind.",
    );
    expect(clocksOf({ requestedAt: '2026-11-21T14:00:02.000Z', offsetSeconds: 2 })).toMatch(/: 2 seconds ahead\.$/);
    expect(clocksOf({ offsetSeconds: -1 })).toMatch(/: 1 second behind\.$/);
    expect(clocksOf({ offsetSeconds: 0 })).toMatch(/: the same second\.$/);
    expect(clocksOf({ answeredAt: undefined, offsetSeconds: undefined })).toBe(
      "The till's clock was 2026-11-21 12:00:00 Europe/Oslo.",
    );
    expect(clocksOf({ timeZone: 'Asia/Tokyo' })).toContain('2026-11-21 20:00:00 Asia/Tokyo');
  });

  test('have what was left before and after', () => {
    const left = [{ benefitId: 'coffee', period: '2026-11-21', limit: 3, before: 3, after: 2 }];
    expect(sentencesOf({ ...past, left }, new Map([['coffee', 'Free coffee']])).at(-1)).toBe(
      'Free coffee in 2026-11-21: 3 of 3 left before, 2 after.',
    );
  });
});

test('a benefit that applied has what is left after it, any other one what there was', () => {
  const limits = [
    { benefitId: 'coffee', usageKey: 'coffee:*', limit: 3, counts: 'baskets', left: 3 },
    { benefitId: 'cake', usageKey: 'cake$NOK:*', limit: 5_000, counts: 'money', left: 4_000 },
    { benefitId: 'cake', usageKey: 'cake$EUR:*', limit: 500, counts: 'money', left: 400 },
  ] as const;
  const leftOf = (benefit: object) => describeLeft({ saved: 0, ...benefit } as TracedBenefit, limits, 'NOK');
  expect(leftOf({ benefitId: 'coffee', applied: true, left: '2 of 3 left' })).toBe('2 of 3 left');
  expect(leftOf({ benefitId: 'coffee', applied: false })).toBe('3 of 3 left');
  expect(leftOf({ benefitId: 'cake', applied: false })).toBe('40.00 of 50.00 left');
  expect(leftOf({ benefitId: 'twenty', applied: true })).toBe('');
});
