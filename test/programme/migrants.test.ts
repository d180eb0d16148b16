/** Errors that lead on those who come from another system. */
import { describe, expect, it } from 'vitest';
import { inspectEnvironment } from '../../src/programme/inspect.ts';
import { sourceOf } from '../../src/programme/source.ts';
import { oslo, ten } from './warned.ts';

/** The errors of a programme with this benefit, as `path: found …, allowed: …`; the path from the benefit on. */
function errorsOf(benefit: object, programme: object = {}): string[] {
  const programmes = [{ programmeId: 'club', ...programme, benefits: [{ benefitId: 'b', ...ten, ...benefit }] }];
  const text = JSON.stringify({ environment: 'staging', venues: [oslo], programmes });
  const { faults } = inspectEnvironment(sourceOf(text, 'x.yaml'), '2026-11-21');
  return faults.map(
    ({ path, found, allowed }) => `${path.replace('programmes[0].benefits[0]', '')}: ${found}, ${allowed}`,
  );
}

describe('words of other systems lead on', () => {
  it.each<[string, object, string]>([
    [
      'an undeclared group',
      { group: 'welcome' },
      '.group: "welcome", none, the list is empty, from groups of the programme, groups: { welcome: { atMost: 1 } }',
    ],
    [
      'a list of hours',
      { when: { hours: ['10:00-12:00', '14:00-16:00'] } },
      '.when.hours: ["10:00-12:00","14:00-16:00"], hours such as "14:00-16:00"; several hours are a list of windows: when: [{ hours: "10:00-12:00" }, { hours: "14:00-16:00" }]',
    ],
    [
      'a bare limit',
      { limit: 1 },
      '.limit: 1, a limit, or a list of 1 to 4; its fields say what it counts and how long: { quantity: 1, period: day, counts: baskets }',
    ],
    [
      'a coupon code',
      { couponCode: 'SPRING' },
      ': the unknown field "couponCode", audience: granted, for members with a grant of the benefit, which `members grant` gives; a code as such is not known here',
    ],
    [
      'an offset',
      { when: { to: '2026-12-31T23:59+01:00' } },
      '.when.to: "2026-12-31T23:59+01:00", a date such as 2026-01-31, or with a time 2026-01-31T06:00; without an offset: it is the time of the venue\'s clock',
    ],
  ])('%s', (_, benefit, error) => {
    expect(errorsOf(benefit)).toEqual([error]);
  });

  it('a discount on the order, by its percentage or its amount', () => {
    expect(errorsOf({ kind: 'order_discount' })[0]).toMatch(/; that is order_percent here$/);
    expect(errorsOf({ kind: 'order_discount', percent: undefined, amount: 100 })[0]).toMatch(
      /; that is order_amount here$/,
    );
  });

  it('a gift that the venue does not sell', () => {
    expect(errorsOf({ kind: 'free_product', percent: undefined, productId: '9' })).toEqual([
      '.productId: "9", a product from the `products` of venue oslo, one of 4711, 4712',
    ]);
  });
});
