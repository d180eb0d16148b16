/** A programme whose warnings are looked at: what its venues sell, and the warnings as `path: text`. */
import { expect } from 'vitest';
import { inspectEnvironment } from '../../src/programme/inspect.ts';
import { sourceOf } from '../../src/programme/source.ts';
import type { KnownMember } from '../../src/programme/warnings/advice.ts';

const flags = { noDiscount: false, noPercentageDiscount: false };
export const coffee = { productId: '4711', productGroupId: 'coffee', name: 'Coffee', unitPrice: 3_900, ...flags };
export const bun = { ...coffee, productId: '4712', productGroupId: 'pastry', name: 'Bun', unitPrice: 4_500 };
export const oslo = {
  ...{ venueId: 'oslo', terminalSetups: ['1'], currencies: ['NOK'], timeZone: 'Europe/Oslo', programmeId: 'club' },
  products: [coffee, bun],
};
export const malmo = {
  ...oslo,
  venueId: 'malmo',
  terminalSetups: ['2'],
  currencies: ['SEK'],
  timeZone: 'Europe/Stockholm',
};
export const ten = { kind: 'line_percent', percent: 10 };
export const ofCoffee = { appliesTo: { productGroupIds: ['coffee'] } };
export const anna = { programmeId: 'club', loyaltyId: 'anna', status: 'active' };

export interface Around {
  readonly venues?: readonly object[];
  readonly members?: readonly object[];
  readonly known?: readonly KnownMember[];
  readonly programme?: object;
}

/** The warnings of a programme with these benefits, as `path: text`; the path from the list of benefits on. */
export function warn(
  benefits: object | readonly object[],
  { venues = [oslo], members = [], known = [], programme = {} }: Around = {},
): string[] {
  const named = [benefits].flat().map((benefit, at) => ({ benefitId: `b${at}`, ...benefit }));
  const programmes = [{ programmeId: 'club', benefits: named, ...programme }];
  const text = JSON.stringify({ environment: 'staging', venues, programmes, members });
  const { faults, warnings } = inspectEnvironment(sourceOf(text, 'x.yaml'), '2026-11-21', known);
  expect(faults).toEqual([]);
  return warnings.map(({ path, text: words }) => `${path.replace('programmes[0].benefits', '')}: ${words}`);
}
