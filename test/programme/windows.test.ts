/** A window of a benefit that would never open is an error, and so is a product that is missing where a benefit is open. */
import { expect, it } from 'vitest';
import { inspectEnvironment } from '../../src/programme/inspect.ts';
import { sourceOf } from '../../src/programme/source.ts';

/** What is allowed instead; nothing of a window that opens. */
function errorsOf(when: object): string[] {
  const benefit = { benefitId: 'b', kind: 'line_percent', percent: 10, when };
  const programmes = [{ programmeId: 'club', benefits: [benefit] }];
  const text = JSON.stringify({ environment: 'staging', venues: [], programmes });
  const { faults } = inspectEnvironment(sourceOf(text, 'x.yaml'), '2026-11-21');
  return faults.map(({ path, allowed }) => `${path.replace('programmes[0].benefits[0].when.', '')}: ${allowed}`);
}

/** 2026-01-01 was a Thursday. */
const [THURSDAY, FRIDAY, SATURDAY, NEXT_WEDNESDAY] = ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-07'] as const;

it('one day of its weekdays is enough', () => {
  expect(errorsOf({ from: THURSDAY, to: FRIDAY, weekdays: ['sun', 'fri'] })).toEqual([]);
  expect(errorsOf({ from: THURSDAY, to: FRIDAY, weekdays: ['sun'] })).toEqual([
    `weekdays: one of thu, fri, the days from ${THURSDAY} to ${FRIDAY}`,
  ]);
  expect(errorsOf({ from: THURSDAY, to: THURSDAY, weekdays: ['fri'] })).toHaveLength(1);
  for (const weekday of ['thu', 'fri', 'sat', 'sun', 'mon', 'tue', 'wed']) {
    expect(errorsOf({ from: THURSDAY, to: NEXT_WEDNESDAY, weekdays: [weekday] })).toEqual([]);
    expect(errorsOf({ from: THURSDAY, to: '2026-12-31', weekdays: [weekday] })).toEqual([]);
  }
  expect(errorsOf({ from: THURSDAY, to: '2026-01-06', weekdays: ['wed'] })).toHaveLength(1);
  expect(errorsOf({ from: THURSDAY, to: FRIDAY, weekdays: [] })).toEqual([]);
});

it('the minute at which it ends is no part of it', () => {
  expect(errorsOf({ from: THURSDAY, to: `${FRIDAY}T00:00`, weekdays: ['fri'] })).toEqual([
    `weekdays: one of thu, the days from ${THURSDAY} to ${FRIDAY}T00:00`,
  ]);
  expect(errorsOf({ from: THURSDAY, to: `${FRIDAY}T00:01`, weekdays: ['fri'] })).toEqual([]);
  expect(errorsOf({ from: `${FRIDAY}T23:59`, to: `${SATURDAY}T00:00`, weekdays: ['fri'] })).toEqual([]);
  expect(errorsOf({ from: `${FRIDAY}T06:00`, to: `${FRIDAY}T06:00` })).toEqual([`to: a time after ${FRIDAY}T06:00`]);
  expect(errorsOf({ from: FRIDAY, to: THURSDAY })).toEqual([`to: a date from ${FRIDAY} on`]);
  expect(errorsOf({ from: `${FRIDAY}T23:59`, to: FRIDAY })).toEqual([]);
});

it('some of its hours are in it', () => {
  const [evening, night] = ['18:00-20:00', '22:00-02:00'];
  const noon = { from: `${THURSDAY}T10:00`, to: `${THURSDAY}T14:00` };
  expect(errorsOf({ ...noon, hours: evening })).toEqual([
    `hours: hours of which some are between ${noon.from} and ${noon.to}`,
  ]);
  expect(errorsOf({ ...noon, to: `${THURSDAY}T18:00`, hours: evening })).toHaveLength(1);
  // One of its weekdays is in it, so that the hours are at fault.
  expect(errorsOf({ ...noon, weekdays: ['sun', 'thu'], hours: evening })).toEqual([
    `hours: hours of which some are between ${noon.from} and ${noon.to}`,
  ]);
  expect(errorsOf({ ...noon, to: `${THURSDAY}T18:01`, hours: evening })).toEqual([]);
  expect(errorsOf({ ...noon, to: THURSDAY, hours: evening })).toEqual([]);
  // The night of Thursday ends on Friday.
  const small = { from: `${FRIDAY}T00:00`, to: `${FRIDAY}T01:00`, hours: night };
  expect(errorsOf({ ...small, weekdays: ['thu'] })).toEqual([]);
  expect(errorsOf({ ...small, from: `${FRIDAY}T02:00`, to: `${FRIDAY}T03:00` })).toHaveLength(1);
});

it('without a first or a last day it opens some time', () => {
  for (const end of [{ from: THURSDAY }, { to: THURSDAY }, {}])
    expect(errorsOf({ ...end, weekdays: ['mon'] })).toEqual([]);
});

it('a share of the members has a beginning before its end', () => {
  const share = (from: number, below: number) => errorsOf({ share: { from, below, salt: 'a' } });
  expect([share(0, 1), share(50, 51)]).toEqual([[], []]);
  expect(share(50, 50)).toEqual(['share.below: a whole number from 51 to 100']);
});

it('a product is given wherever the benefit may apply', () => {
  const venue = { currencies: ['NOK'], timeZone: 'Europe/Oslo', programmeId: 'club' };
  const bun = { productId: 'bun', name: 'Bun', unitPrice: 500, noDiscount: false, noPercentageDiscount: false };
  const venues = [
    { ...venue, venueId: 'oslo', terminalSetups: ['1'] },
    { ...venue, venueId: 'bergen', terminalSetups: ['2'], products: [bun] },
    { ...venue, venueId: 'malmo', terminalSetups: ['3'], programmeId: 'other' },
  ];
  const missing = (when?: object) => {
    const benefit = { benefitId: 'b', kind: 'free_product', productId: 'bun', when };
    const programmes = [{ programmeId: 'club', benefits: [benefit] }, { programmeId: 'other' }];
    const text = JSON.stringify({ environment: 'staging', venues, programmes });
    return inspectEnvironment(sourceOf(text, 'x.yaml'), '2026-11-21').faults.map(({ allowed }) => allowed);
  };
  const atOslo = ['a product from the `products` of venue oslo, none, the list is empty'];
  const [bergen, oslo] = [{ venueIds: ['bergen'] }, { venueIds: ['oslo'] }];
  expect(
    [undefined, {}, oslo, [bergen, oslo], [bergen, { weekdays: ['mon'] }], { venueIds: [] }].map((when) =>
      missing(when),
    ),
  ).toEqual(Array(6).fill(atOslo));
  expect([bergen, [bergen, bergen]].map((when) => missing(when))).toEqual([[], []]);
});
