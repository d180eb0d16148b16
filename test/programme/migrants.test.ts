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

describe('words of other systems, and fields in the wrong place, lead on', () => {
  it.each<[string, object, string]>([
    [
      'an undeclared group',
      { group: 'welcome' },
      '.group: "welcome", a group of the programme, which has none yet: groups: { welcome: { atMost: 1 } }',
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
    [
      'reduced goods beside the selector',
      { excludeDiscounted: true },
      ': the unknown field "excludeDiscounted", in a selector, appliesTo: { excludeDiscounted: true }',
    ],
    [
      'a policy of the programme in a benefit',
      { existingLineDiscounts: 'stack' },
      ': the unknown field "existingLineDiscounts", in the programme, beside its `benefits`',
    ],
    [
      'the take of a group in a benefit',
      { take: 'priority' },
      ': the unknown field "take", in a group of the programme that the benefit names, groups: { offers: { atMost: 1, take: priority } }',
    ],
    [
      'a percentage of a kind that takes an amount',
      { kind: 'order_amount', amount: 100 },
      ': the unknown field "percent", in kinds such as line_percent and order_percent, and in `get` of buy_x_get_y',
    ],
    [
      'whole sets beside the half that is given',
      { complete: true },
      ': the unknown field "complete", in `get` of buy_x_get_y, get: { quantity: 3, complete: true }',
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

  it('a kind of others, and no other kind that is only spelt alike', () => {
    const benefit = { benefitId: 'b', kind: 'order_discount', percent: 10 };
    const programmes = [{ programmeId: 'club', benefits: [benefit] }];
    const text = JSON.stringify({ environment: 'staging', venues: [oslo], programmes });
    const { faults } = inspectEnvironment(sourceOf(text, 'x.yaml'), '2026-11-21');
    expect(faults.map(({ nearest }) => nearest)).toEqual([undefined]);
  });

  it('a gift that the venue does not sell', () => {
    expect(errorsOf({ kind: 'free_product', percent: undefined, productId: '9' })).toEqual([
      '.productId: "9", a product from the `products` of venue oslo, one of 4711, 4712',
    ]);
  });
});
