/** Which benefits are open to the member, and which lines each of them covers (packages/engine/README.md, rules 1 to 7). */

import type { LimitDefinition } from '@loyalty/engine/compile/words';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import { takesPercentage } from './kinds.ts';
import { limitsOf, nameOf } from './limit.ts';
import { matchingLines, NONE, type Selector } from './selectors.ts';
import { sumOf } from './share.ts';
import type { Line, Offer, OracleCase, PricedBenefit } from './types.ts';
import { isAtLineLevel, mayTakePart, unitsOf } from './units.ts';

/** The lines of the basket, each with its units (rules 1, 2 and 5). */
export function readLines({ basket, programme }: OracleCase): Line[] {
  const bare = basket.lines.map((body) => ({ body }) as Line);
  const weighed = programme.weighed ? matchingLines(programme.weighed, bare) : [];
  return basket.lines.map((body, position) => {
    const isCounted = Number.isInteger(body.quantity) && !weighed.includes(bare[position]!);
    const units = isCounted ? body.quantity : 1;
    const isParent = basket.lines.some(({ parentLineId }) => parentLineId === body.lineId);
    return {
      position,
      body,
      units,
      isCounted,
      price: isCounted ? body.unitPrice : body.originalLinePrice,
      isSplittable: units >= 2 && !isParent,
      takesLineLevel: programme.existingLineDiscounts !== 'keep' || body.existingLineDiscountAmount === 0,
    };
  });
}

/** The open benefits. The calendar is not the oracle's business: a case names no dates and no hours. */
export function findOffers(lines: readonly Line[], oracleCase: OracleCase): Offer[] {
  const { exclude } = oracleCase.programme;
  const hidden = exclude ? new Set(matchingLines(exclude, lines)) : NONE;
  const isTogether = oracleCase.programme.modifiers === 'together';
  const offers: Offer[] = [];
  for (const written of oracleCase.programme.benefits) {
    if (written.enabled === false) continue;
    const benefit = priceIn(oracleCase.basket.currency, written);
    if (!benefit) continue;
    if (benefit.audience === 'granted' && !isGranted(benefit, oracleCase)) continue;
    if (!isOpen(benefit, oracleCase)) continue;
    const { maximumUnits = Infinity } = benefit;
    const limits = limitsOf(benefit as Pick<BenefitDefinition, 'limit'>);
    const [limit] = limits;
    // A limit per basket has no counter: its whole quantity is left in every basket.
    const leftOf = (each: LimitDefinition): number =>
      each.period === 'basket' ? (each.quantity as number) : (oracleCase.available[nameOf(benefit, each)] ?? 0);
    /** The smallest of several limits counts. */
    const leastOf = (counts?: string): number =>
      Math.min(...limits.filter((each) => counts === undefined || each.counts === counts).map(leftOf));
    const left = leastOf();
    if (left < 1) continue;
    // A product is given where any line is named; every other kind takes something off eligible lines.
    if (benefit.kind === 'free_product' && matchingLines(benefit.appliesTo ?? {}, lines, hidden).length === 0) continue;
    const joins = isTogether && isAtLineLevel(benefit);
    const taken = (selector: Selector) => unitsOf(matchingLines(selector, lines, hidden), lines, hidden, joins);
    const eligible = eligibleLines(benefit, taken);
    const seen = selectorsOf(benefit).map(({ selector, isPercentage }) =>
      taken(selector).filter((unit) => mayTakePart(unit, isPercentage)),
    );
    const together = new Set(eligible.flatMap((set) => [...set]));
    const spent = benefit.minimumSpendOn === 'basket' ? lines : together;
    const isNet = benefit.minimumSpendBasis === 'net';
    if (!isNet && sumOf(spent, ({ body }) => body.orderLinePrice) < (benefit.minimumSpend ?? 0)) continue;
    // Without one full part of the spend it is not open (rule 21).
    const perSpend = benefit.kind === 'order_amount' ? (benefit.perSpend ?? 0) : 0;
    if (sumOf(eligible[0]!, ({ body }) => body.orderLinePrice) < perSpend) continue;
    const ofBasket = (selector: Selector) =>
      unitsOf(matchingLines(selector, lines, selector === EVERYTHING ? NONE : hidden), lines, hidden, joins);
    const countedIn = benefit.minimumQuantityOn === 'basket' ? [ofBasket(EVERYTHING).filter(costsAnything)] : seen;
    if (countHeads(countedIn) < (benefit.minimumQuantity ?? 0)) continue;
    if (!requirementsOf(benefit).every((own) => isHeld(own, ofBasket(own.appliesTo ?? {})))) continue;
    const items = Math.min(maximumUnits, leastOf('items'));
    // What is left of a limit in money cuts the discount as a cap does.
    const cap = Math.min(
      ('maximumDiscount' in benefit ? benefit.maximumDiscount : undefined) ?? Infinity,
      leastOf('money'),
    );
    const capped = cap < Infinity ? ({ ...benefit, maximumDiscount: cap } as PricedBenefit) : benefit;
    const shared = limit?.limitId === undefined ? {} : { shared: { name: limit.limitId, counts: limit.counts, left } };
    const isForGood = oracleCase.grants.some((grant) =>
      typeof grant === 'string'
        ? grant === benefit.benefitId
        : grant.benefitId === benefit.benefitId && !grant.quantity,
    );
    const spendsGrant = benefit.audience === 'granted' && !isForGood;
    const rungUp =
      benefit.kind === 'free_product' && benefit.inBasketFirst
        ? { rungUp: unitsRungUp(benefit, items, lines, hidden, isTogether) }
        : {};
    offers.push({ benefit: capped, left, items, spendsGrant, eligible, seen, ...shared, ...rungUp });
  }
  return offers;
}

const EVERYTHING: Selector = {};

interface Required {
  readonly appliesTo?: Selector;
  readonly quantity?: number;
  readonly spend?: number;
}

function requirementsOf({ requires }: PricedBenefit): Required[] {
  return [requires ?? []].flat() as Required[];
}

/** Rule 7: the basket holds so many units of the goods, and so much of them as they came, whatever may be discounted. */
function isHeld({ quantity = 1, spend = 0 }: Required, units: readonly (readonly Line[])[]): boolean {
  const lines = new Set(units.flat());
  return (
    countHeads([units.filter(costsAnything)]) >= quantity && sumOf(lines, ({ body }) => body.orderLinePrice) >= spend
  );
}

function costsAnything([head]: readonly Line[]): boolean {
  return head!.body.originalLinePrice > 0;
}

/** Rule 24: the lines of which units are given, and how many of what is to be given. */
function unitsRungUp(
  { productId, quantity = 1 }: Extract<PricedBenefit, { kind: 'free_product' }>,
  items: number,
  lines: readonly Line[],
  hidden: ReadonlySet<Line>,
  isTogether: boolean,
): { lines: Set<Line>; units: number } {
  const own = lines.filter(
    ({ body, isCounted, takesLineLevel, ...line }) =>
      body.productId === productId && isCounted && takesLineLevel && !body.noDiscount && line.price > 0,
  );
  const visible = own.filter((line) => !hidden.has(line) && !(isTogether && line.body.parentLineId !== undefined));
  const all = sumOf(visible, ({ units }) => units);
  return { lines: new Set(visible), units: Math.min(quantity, items, all) };
}

/** Each amount is a number, or a map by currency; without one for the basket's currency the benefit does not apply. */
function priceIn(currency: string, written: BenefitDefinition): PricedBenefit | undefined {
  const priced: Record<string, unknown> = { ...written };
  const limits = limitsOf(written);
  if (limits.length > 0) {
    const quantities = limits.map(({ quantity }) => (typeof quantity === 'object' ? quantity[currency] : quantity));
    if (quantities.includes(undefined)) return undefined;
    priced.limit = limits.map((limit, at) => ({ ...limit, quantity: quantities[at] }));
  }
  if (written.requires !== undefined) {
    const requires = [written.requires].flat() as { spend?: number | Record<string, number> }[];
    const spends = requires.map(({ spend = 0 }) => (typeof spend === 'object' ? spend[currency] : spend));
    if (spends.includes(undefined)) return undefined;
    priced.requires = requires.map((own, at) => ({ ...own, spend: spends[at] }));
  }
  for (const [name, amount] of Object.entries(priced)) {
    if (!isMapOfAmounts(amount)) continue;
    if (amount[currency] === undefined) return undefined;
    priced[name] = amount[currency];
  }
  return priced as unknown as PricedBenefit;
}

/** Of whatever field of whatever kind. Texts by language have other names. */
function isMapOfAmounts(value: unknown): value is Readonly<Record<string, number>> {
  const names = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  return names.length > 0 && names.every((name) => /^[A-Z]{3}$/.test(name));
}

/** One grant that is not used up is enough. */
function isGranted({ benefitId }: PricedBenefit, { grants, available }: OracleCase): boolean {
  return grants.some((grant) => {
    if (typeof grant === 'string') return grant === benefitId;
    if (grant.from || grant.to) throw new Error('the oracle knows no calendar');
    if (grant.benefitId !== benefitId) return false;
    return grant.quantity === undefined || (available[`${benefitId}/${grant.grantId}`] ?? 0) > 0;
  });
}

/** Any window of several opens the benefit. */
function isOpen({ when }: PricedBenefit, { basket, tier }: OracleCase): boolean {
  if (when === undefined) return true;
  return [when].flat().some(({ from, to, weekdays, hours, venueIds, channels, tiers }) => {
    if (from || to || weekdays || hours || venueIds) throw new Error('the oracle knows no calendar and one venue');
    const isOnChannel = !channels?.length || channels.includes(basket.context.channel);
    return isOnChannel && (!tiers?.length || (tier !== undefined && tiers.includes(tier)));
  });
}

function eligibleLines(benefit: PricedBenefit, taken: (selector: Selector) => Line[][]): Set<Line>[] {
  return selectorsOf(benefit).map(
    ({ selector, isPercentage }) =>
      new Set(
        taken(selector)
          .flat()
          .filter(
            ({ body }) =>
              body.originalLinePrice > 0 && !body.noDiscount && !(isPercentage && body.noPercentageDiscount),
          ),
      ),
  );
}

interface SelectorOfBenefit {
  readonly selector: Selector;
  readonly isPercentage: boolean;
}

/** The selectors in the definition's order; bought units keep their price, so no percentage comes off them. */
function selectorsOf(benefit: PricedBenefit): SelectorOfBenefit[] {
  const isPercentage = takesPercentage(benefit);
  const of = ({ appliesTo = {} }: { appliesTo?: Selector }) => ({ selector: appliesTo, isPercentage });
  if (benefit.kind === 'buy_x_get_y') return [{ ...of(benefit.buy), isPercentage: false }, of(benefit.get)];
  return benefit.kind === 'bundle_price' ? benefit.items.map(of) : [of(benefit)];
}

/** The units that any selector sees, each counted once. */
function countHeads(seen: Offer['seen']): number {
  const heads = new Set(seen.flatMap((units) => units.map(([head]) => head!)));
  return sumOf(heads, ({ units }) => units);
}
