/**
 * Letters outside ASCII, an emoji and a combining character in every text that a selector or a condition can name: a call and its
 * explanation give the same benefits for them.
 */
import { afterAll, expect, test } from 'vitest';
import { ask } from '../ops/admin-client.ts';
import { basketOf } from '../support/baskets.ts';
import { cleanUp } from '../support/cleanup.ts';
import { configurationOf, type Member } from '../support/configuration.ts';
import { useSharedService } from '../support/shared-service.ts';

afterAll(cleanUp);

/** An `é` of two characters, which is another text than the `é` of one. */
const TEXT = 'Søt 🫐 cafe\u0301';
const COMPOSED = 'Søt 🫐 caf\u00e9';
const FIELDS = [
  ['productId', 'productIds', 'excludeProductIds'],
  ['productMasterId', 'productMasterIds', 'excludeProductMasterIds'],
  ['productGroupId', 'productGroupIds', 'excludeProductGroupIds'],
  ['ean', 'eans', 'excludeEans'],
] as const;

/** Benefits, each for lines of its own, and the lines with what ten per cent of each is. */
const benefits: object[] = [];
const lines: { readonly line: object; readonly saved: number }[] = [];
function tenPercent(benefitId: string, appliesTo: object, when: object = {}): void {
  benefits.push({ benefitId, kind: 'line_percent', percent: 10, text: `${benefitId} 🫐 Ø`, appliesTo, when });
}
for (const [field, included, excluded] of FIELDS) {
  tenPercent(`by-${field.toLowerCase()}`, { [included]: [`${TEXT} ${field}`] });
  lines.push(
    { line: { [field]: `${TEXT} ${field}` }, saved: 1_000 },
    { line: { [field]: `${COMPOSED} ${field}` }, saved: 0 },
  );
  // A line that is left out by the text, and its neighbour that is not.
  const isGroup = field === 'productGroupId';
  const own = `but ${field}`;
  tenPercent(`but-${field.toLowerCase()}`, { productGroupIds: isGroup ? [own, TEXT] : [own], [excluded]: [TEXT] });
  lines.push({ line: { productGroupId: own, [field]: TEXT }, saved: 0 });
  lines.push({ line: isGroup ? { productGroupId: own } : { productGroupId: own, [field]: COMPOSED }, saved: 1_000 });
}
for (const [name, when, saved] of [
  ['tier', { tiers: [TEXT] }, 1_000],
  ['other-tier', { tiers: [COMPOSED] }, 0],
  ['venue', { venueIds: [TEXT] }, 1_000],
] as const) {
  tenPercent(name, { productIds: [name] }, when);
  lines.push({ line: { productId: name }, saved });
}
const SAVED = lines.map(({ saved }) => saved);

const loyaltyId = 'Ødegård-🫐';
const member = { programmeId: 'coffee-club', loyaltyId, status: 'active', grants: [], tier: TEXT } as Member;
const [oslo, ...venues] = configurationOf().venues;
const configuration = configurationOf({
  programme: { benefits: benefits as never },
  members: [member],
  venues: [{ ...oslo!, venueId: TEXT, terminalSetups: ['Ø-500123'] }, ...venues],
});
const stage = useSharedService(configuration);

const basket = () => {
  const context = { venueId: TEXT, cashRegisterId: 'Kasse Ø', baxId: 'Ø-500123', channel: 'pos' } as const;
  const sold = lines.map(({ line }) => ({ ...line, name: TEXT }));
  return basketOf(sold, { loyaltyId, context });
};

interface Lines {
  readonly lines: readonly { readonly lineDiscountAmount: number; readonly lineDiscountText?: string }[];
}
const savedBy = (answer: unknown) => (answer as Lines).lines.map(({ lineDiscountAmount }) => lineDiscountAmount);

test('a call gives them, whether its body spells the texts out or escapes them', async () => {
  const escaped = JSON.stringify(basket()).replace(
    /[^\x00-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  for (const body of [basket(), escaped]) {
    const answer = await stage.caller.send('/v1/pos/basket', body);
    expect([answer.status, savedBy(answer.json())]).toEqual([200, SAVED]);
    expect((answer.json() as Lines).lines[0]?.lineDiscountText).toBe('by-productid 🫐 Ø');
  }
});

test('its explanation gives them', async () => {
  const { status, body } = await ask<{ response: unknown }>(stage.service.opsUrl, 'POST /admin/explain', {
    body: basket(),
  });
  expect([status, savedBy(body.response)]).toEqual([200, SAVED]);
});
