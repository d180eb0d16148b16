import { kindOf } from '@loyalty/engine/benefits/register';
import { PRODUCT_NAMES, type SelectorDefinition } from '@loyalty/engine/lines/selector';
import { selects } from '../selectors.ts';
import type { WrittenBenefit } from '../written-benefit.ts';
import { type Around, amountIn, LEAVE_OUT, type Said } from './advice.ts';
import { looksMistyped, suggest } from './names.ts';

/** Advice about goods: selectors that take none, all or others than is meant, and prices that are none. */

/** Selectors of which nobody can buy anything that may be discounted. */
export function* unsaleableGoods(own: WrittenBenefit, { products, isHidden }: Around): Generator<Said> {
  for (const [place, selector] of own.allSelectors) {
    const taken = products.filter((product) => selects(selector, product));
    if (taken.length > 0 && taken.every(isHidden))
      yield [place, 'nobody can get it: `exclude` of the programme leaves out every product that qualifies'];
  }
  // A product is given beside such lines too.
  if (products.length === 0 || kindOf(own.benefit).level === 'gift') return;
  const listed = own.venues.flatMap((venue) => venue.products ?? []);
  for (const [place, selector] of own.selectors) {
    const taken = listed.filter((product) => selects(selector, product) && !isHidden(product));
    if (taken.length > 0 && taken.every(({ noDiscount }) => noDiscount) && namesListedProductsAlone(selector, listed))
      yield [place, 'nobody can get it: no listed product that qualifies may be discounted'];
  }
}

/** A group may have products that are not listed. */
function namesListedProductsAlone(selector: SelectorDefinition, listed: Around['products']): boolean {
  const { productIds = [], eans = [], productMasterIds = [], productGroupIds = [] } = selector;
  if (productIds.length + eans.length === 0 || productMasterIds.length + productGroupIds.length > 0) return false;
  return strangeNames('', selector, 'included', listed).length === 0;
}

interface StrangeName {
  readonly place: string;
  readonly name: string;
  /** What `mentions` calls it. */
  readonly mention: string;
  /** The names of that sort that products have. */
  readonly known: readonly string[];
}

/** The names that a selector takes or leaves out and that no product has. */
function strangeNames(
  place: string,
  selector: SelectorDefinition,
  sort: 'included' | 'excluded',
  products: Around['products'],
): StrangeName[] {
  return PRODUCT_NAMES.flatMap(({ included, field, [sort]: list }) => {
    const known = [...new Set(products.flatMap((product) => product[field] ?? []))];
    return (selector[list] ?? []).flatMap((name, at) =>
      known.includes(name) ? [] : [{ place: `${place}.${list}[${at}]`, name, mention: `${included} ${name}`, known }],
    );
  });
}

/** Names that nothing else has: a selector of such names alone, and single ones that look mistyped, also in what it leaves out. */
export function* unknownGoods({ allSelectors }: WrittenBenefit, { products, mentions }: Around): Generator<Said> {
  for (const [place, selector] of products.length === 0 ? [] : allSelectors) {
    const names = PRODUCT_NAMES.flatMap(({ included }) => selector[included] ?? []);
    const isElsewhere = ({ mention }: StrangeName) => (mentions.get(mention) ?? 0) > 1;
    const strange = strangeNames(place, selector, 'included', products).filter((name) => !isElsewhere(name));
    const isLost = strange.length === names.length;
    yield* tellNames(
      strange.filter(({ name, known }) => isLost || looksMistyped(name, known)),
      `${isLost ? 'nobody can get it: ' : ''}no product of a venue and no other benefit has this name`,
    );
    const excluded = strangeNames(place, selector, 'excluded', products).filter(
      ({ mention, name, known }) => !mentions.has(mention) && looksMistyped(name, known),
    );
    yield* tellNames(excluded, 'it leaves out nothing: no product of a venue and no benefit has this name');
  }
}

function* tellNames(names: readonly StrangeName[], sentence: string): Generator<Said> {
  for (const { place, name, known } of names) yield [place, `${sentence}, ${name}${suggest(name, known)}`];
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

/** Exceptions without a rule in `exclude` and `weighed` of a programme, and names in them that no product has. */
export function* linesOfProgramme({ programme, products }: Around): Generator<Said> {
  for (const field of ['exclude', 'weighed'] as const) {
    const selector = programme[field] ?? {};
    const { nothing, everything } = OF_A_PROGRAMME[field];
    const exception = PRODUCT_NAMES.find(({ excluded }) => selector[excluded]);
    if (exception && !PRODUCT_NAMES.some(({ included }) => selector[included]))
      yield [`${field}.${exception.excluded}`, `${everything} ${exception.included}`];
    for (const [sort, consequence] of [['included', nothing] as const, ['excluded', 'it excepts nothing'] as const]) {
      const strange = strangeNames(field, selector, sort, products);
      yield* tellNames(
        strange.filter(({ name, known }) => looksMistyped(name, known)),
        `${consequence}: no product of a venue has this name`,
      );
    }
  }
}

/** A selector whose last name was taken out, and a price of a unit that every product gets, from the coffee to the cake. */
export function* openSelectors({ benefit, selectors }: WrittenBenefit): Generator<Said> {
  if (benefit.kind === 'unit_price') {
    const { appliesTo } = benefit;
    if (PRODUCT_NAMES.some(({ included }) => appliesTo?.[included]?.length)) return;
    const place = appliesTo === undefined ? 'unitPrice' : 'appliesTo';
    yield [place, 'every product gets this price: select the products with appliesTo'];
    return;
  }
  for (const [place, selector] of selectors) {
    if (Object.keys(selector).length === 0 && isWritten(benefit, place))
      yield [place, `an empty selector takes every product: ${LEAVE_OUT}`];
  }
}

/** False where the benefit has nothing at a place such as `items[0].appliesTo`. */
function isWritten(benefit: object, place: string): boolean {
  const step = (value: unknown, name: string) => (value as Readonly<Record<string, unknown>>)[name];
  return place.split(/\]?\.|\[/).reduce<unknown>(step, benefit) !== undefined;
}

/** A price of a unit or of a bundle that is nowhere below what the products cost anyway. */
export function* idlePrices({ benefit, venues }: WrittenBenefit, around: Around): Generator<Said> {
  if (benefit.kind === 'unit_price' && !isBelowAny(benefit.unitPrice, [{ quantity: 1, ...benefit }], venues, around))
    yield ['unitPrice', 'it makes nothing cheaper: no listed product that qualifies costs more than this price'];
  if (benefit.kind === 'bundle_price' && !isBelowAny(benefit.bundlePrice, benefit.items, venues, around))
    yield ['bundlePrice', 'it makes nothing cheaper: no listed products that it takes cost more than this price'];
}

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
