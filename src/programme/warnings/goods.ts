import { isDeepStrictEqual } from 'node:util';
import { kindOf } from '@loyalty/engine/benefits/register';
import type { Level } from '@loyalty/engine/compile/rule';
import { PRODUCT_NAMES } from '@loyalty/engine/lines/selector';
import { lineSelectorOf, selects } from '../selectors.ts';
import type { WrittenBenefit } from '../written-benefit.ts';
import { type Around, amountIn, ofBenefit, ofEach, type Said } from './advice.ts';
import { looksMistyped, namesIn, suggest } from './names.ts';
import { LEAVE_OUT } from './windows.ts';

/** Advice about goods: selectors that take none, all or others than is meant, and prices that are none. */

/** A selector whose products the programme leaves out. */
export const hiddenGoods = ofEach(
  ({ allSelectors }) => allSelectors,
  '',
  (selector, { products, isHidden }) => {
    const own = products.filter((product) => selects(selector, product));
    if (own.length === 0 || !own.every(isHidden)) return undefined;
    return 'nobody can get it: `exclude` of the programme leaves out every product that qualifies';
  },
);

/**
 * A selector of single products that are all listed, none of which may be discounted. A group may have products that are not listed. A
 * product is given beside such lines too.
 */
export const protectedGoods = ofEach(
  ({ selectors }) => selectors,
  '',
  (selector, { isHidden }, { benefit, venues }) => {
    const products = venues.flatMap((venue) => venue.products ?? []);
    const names = namesIn(selector, products);
    const isListed = ({ list, name, known }: (typeof names)[number]) =>
      (list === 'productIds' || list === 'eans') && known.includes(name);
    if (kindOf(benefit).level === 'gift' || names.length === 0 || !names.every(isListed)) return undefined;
    const own = products.filter((product) => selects(selector, product) && !isHidden(product));
    if (own.length === 0 || !own.every(({ noDiscount }) => noDiscount)) return undefined;
    return 'nobody can get it: no listed product that qualifies may be discounted';
  },
);

/** A selector of which no name is known elsewhere, and single names that look like a mistyped one. */
export function* unknownGoods({ allSelectors }: WrittenBenefit, { products, mentions }: Around): Generator<Said> {
  if (products.length === 0) return;
  for (const [place, selector] of allSelectors) {
    const names = namesIn(selector, products);
    const strange = names.filter(
      ({ list, name, known }) => !known.includes(name) && (mentions.get(`${list} ${name}`) ?? 0) < 2,
    );
    const isLost = strange.length === names.length;
    const who = isLost ? 'nobody can get it: ' : '';
    for (const { list, name, index, known } of strange) {
      if (!isLost && !looksMistyped(name, known)) continue;
      const sentence = `${who}no product of a venue and no other benefit has this name, ${name}${suggest(name, known)}`;
      yield [`${place}.${list}[${index}]`, sentence];
    }
  }
}

/** Names that a benefit leaves out and that nothing else has: what was meant gets the benefit. */
export function* unknownExclusions({ allSelectors }: WrittenBenefit, { products, mentions }: Around): Generator<Said> {
  for (const [place, selector] of allSelectors) {
    for (const { list, included, name, index, known } of namesIn(selector, products, 'excluded')) {
      if (known.includes(name) || mentions.has(`${included} ${name}`) || !looksMistyped(name, known)) continue;
      const why = `no product of a venue and no benefit has this name, ${name}${suggest(name, known)}`;
      yield [`${place}.${list}[${index}]`, `it leaves out nothing: ${why}`];
    }
  }
}

/** What the selectors of a programme do to a line, and to every line if they only say which ones they do not mean. */
const OF_A_PROGRAMME = {
  exclude: {
    nothing: 'it leaves out nothing',
    everything: 'it leaves out every other product, so that no benefit applies to them: to leave out these, write',
  },
  weighed: {
    nothing: 'it means no line',
    everything: 'it makes every other product a weighed one: to mean these, write',
  },
} as const;

/** Exceptions without a rule in `exclude` and `weighed` of a programme. */
export function* exceptionsWithoutRule({ programme }: Around): Generator<Said> {
  for (const [place, { everything }] of Object.entries(OF_A_PROGRAMME)) {
    const selector = lineSelectorOf(programme[place as keyof typeof OF_A_PROGRAMME]) ?? {};
    const written = PRODUCT_NAMES.find(({ excluded }) => selector[excluded]);
    if (!written || PRODUCT_NAMES.some(({ included }) => selector[included])) continue;
    yield [`${place}.${written.excluded}`, `${everything} ${written.included}`];
  }
}

/** Names in `exclude` and `weighed` of a programme that no product has. */
export function* unknownLines({ programme, products }: Around): Generator<Said> {
  for (const [place, { nothing }] of Object.entries(OF_A_PROGRAMME)) {
    const selector = lineSelectorOf(programme[place as keyof typeof OF_A_PROGRAMME]) ?? {};
    for (const [sort, consequence] of [['included', nothing] as const, ['excluded', 'it excepts nothing'] as const]) {
      for (const { list, name, index, known } of namesIn(selector, products, sort)) {
        if (known.includes(name) || !looksMistyped(name, known)) continue;
        const sentence = `${consequence}: no product of a venue has this name, ${name}${suggest(name, known)}`;
        yield [`${place}.${list}[${index}]`, sentence];
      }
    }
  }
}

/** Required goods that every basket has, or every one that the benefit has an effect on. */
export const idleRequirement = ofEach(
  ({ requirements }) => requirements,
  '',
  ({ appliesTo = {}, quantity = 1, spend }, _, { benefit, selectors }) => {
    if (quantity > 1 || spend !== undefined) return undefined;
    const takesAll =
      PRODUCT_NAMES.every(({ included, excluded }) => !appliesTo[included]?.length && !appliesTo[excluded]?.length) &&
      !appliesTo.excludeDiscounted;
    if (takesAll) return 'has no effect: every basket has one unit';
    // A product is given beside lines that keep their price too.
    const needed = kindOf(benefit).level === 'gift' ? [] : selectors;
    const isOwn = needed.length > 0 && needed.every(([, own]) => isDeepStrictEqual(own, appliesTo));
    return isOwn ? 'has no effect: it has no effect without one of these products anyway' : undefined;
  },
);

const OF_LINES: readonly Level[] = ['line', 'bundle'];

/** Selectors that leave out reduced goods where the programme keeps their discounts anyway. */
export const idleExclusionOfReduced = ofEach(
  ({ selectors }) => selectors,
  'excludeDiscounted',
  ({ excludeDiscounted }, { programme }, { benefit }) => {
    const { minimumSpend, minimumQuantity } = benefit;
    // Lines that are left out do not count for a minimum either.
    if (minimumSpend !== undefined || minimumQuantity !== undefined || !OF_LINES.includes(kindOf(benefit).level))
      return;
    if (!excludeDiscounted || programme.existingLineDiscounts !== 'keep') return;
    return 'has no effect: existingLineDiscounts: keep leaves these lines as they are';
  },
);

/** A selector whose last name was taken out. A price of a unit for every product has advice of its own. */
export function* emptiedSelectors({ benefit, selectors }: WrittenBenefit): Generator<Said> {
  for (const [place, selector] of selectors) {
    if (benefit.kind === 'unit_price' || Object.keys(selector).length > 0 || !isWritten(benefit, place)) continue;
    yield [place, `an empty selector takes every product: ${LEAVE_OUT}`];
  }
}

/** False where the benefit has nothing at a place such as `items[0].appliesTo`. */
function isWritten(benefit: object, place: string): boolean {
  const step = (value: unknown, name: string) => (value as Readonly<Record<string, unknown>>)[name];
  return place.split(/\]?\.|\[/).reduce<unknown>(step, benefit) !== undefined;
}

/** A price of a unit that every product gets, from the coffee to the cake. */
export function* openUnitPrice({ benefit }: WrittenBenefit): Generator<Said> {
  if (benefit.kind !== 'unit_price') return;
  const { appliesTo } = benefit;
  if (PRODUCT_NAMES.some(({ included }) => appliesTo?.[included]?.length)) return;
  const place = appliesTo === undefined ? 'unitPrice' : 'appliesTo';
  yield [place, 'every product gets this price: select the products with appliesTo'];
}

/** A price of a unit that is nowhere below what the products cost anyway. */
export const idleUnitPrice = ofBenefit('unitPrice', (benefit, around, { venues }) => {
  if (benefit.kind !== 'unit_price') return undefined;
  if (isBelowAny(benefit.unitPrice, [{ quantity: 1, ...benefit }], venues, around)) return undefined;
  return 'it makes nothing cheaper: no listed product that qualifies costs more than this price';
});

/** The same of a price of a bundle. */
export const idleBundlePrice = ofBenefit('bundlePrice', (benefit, around, { venues }) => {
  if (benefit.kind !== 'bundle_price' || isBelowAny(benefit.bundlePrice, benefit.items, venues, around))
    return undefined;
  return 'it makes nothing cheaper: no listed products that it takes cost more than this price';
});

type Parts = Extract<WrittenBenefit['benefit'], { kind: 'bundle_price' }>['items'];

/** True where a venue lists products that cost more than the price, and where no venue lists all that it is for. */
function isBelowAny(price: unknown, parts: Parts, venues: WrittenBenefit['venues'], { isHidden }: Around): boolean {
  const listed = venues.flatMap(({ currencies, products = [] }) => {
    const own = amountIn(price, currencies[0]!);
    const dearest = parts.reduce((sum, { quantity, appliesTo = {} }) => {
      const taken = products.filter((each) => selects(appliesTo, each) && !isHidden(each) && !each.noDiscount);
      return sum + quantity * Math.max(...taken.map(({ unitPrice }) => unitPrice));
    }, 0);
    return own === undefined || !Number.isFinite(dearest) ? [] : [own < dearest];
  });
  return listed.length === 0 || listed.some(Boolean);
}
