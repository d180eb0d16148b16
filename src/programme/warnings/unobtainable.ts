import { kindOf } from '@loyalty/engine/benefits/register';
import { amountsOf, currenciesOf, limitsOf } from '@loyalty/engine/compile/amounts';
import { windowsOf } from '@loyalty/engine/compile/window';
import type { LimitDefinition } from '@loyalty/engine/compile/words';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import { currenciesAt, venuesOf, whensOf } from '../benefit-relations.ts';
import { placedLimits } from '../limit-faults.ts';
import { namingSelectorsOf, selectorsOf, selects } from '../selectors.ts';
import { looksMistyped, namesIn, suggest } from './names.ts';
import { amountIn, isReward, type Surroundings, type Warning } from './surroundings.ts';

/**
 * Benefits that nobody can get. A name is judged only where the configuration knows others of its sort: products where a
 * venue lists products, tiers and grants where the programme has members.
 */
export function* findUnobtainable(benefit: BenefitDefinition, path: string, around: Surroundings): Generator<Warning> {
  yield* findEnded(benefit, path, around);
  yield* findForeignVenues(benefit, path, around);
  yield* findForeignCurrencies(benefit, path, around);
  yield* findTooFewUnits(benefit, path);
  yield* findSavingBeyondCap(benefit, path, around);
  if (!around.isComplete) return;
  yield* findUnknownTiers(benefit, path, around);
  yield* findUnknownProducts(benefit, path, around);
  yield* findHidden(benefit, path, around);
  yield* findProtected(benefit, path, around);
  yield* findUngranted(benefit, path, around);
}

/** Warns of a selector whose products the programme leaves out. */
function* findHidden(benefit: BenefitDefinition, path: string, around: Surroundings): Generator<Warning> {
  for (const [place, selector] of namingSelectorsOf(benefit)) {
    const own = around.products.filter((product) => selects(selector, product));
    if (own.length === 0 || !own.every(around.isHidden)) continue;
    const text = 'nobody can get it: `exclude` of the programme leaves out every product that qualifies';
    yield { path: `${path}.${place}`, text };
  }
}

/**
 * Warns of a selector of single products that are all listed, none of which may be discounted. A group may have products that are not
 * listed. A product is given beside such lines too.
 */
function* findProtected(benefit: BenefitDefinition, path: string, around: Surroundings): Generator<Warning> {
  if (kindOf(benefit).level === 'gift') return;
  const products = venuesOf(benefit, around.venues).flatMap((venue) => venue.products ?? []);
  for (const [place, selector] of selectorsOf(benefit)) {
    const names = namesIn(selector, products);
    const isSingle = ({ list }: (typeof names)[number]) => list === 'productIds' || list === 'eans';
    if (!names.every((own) => isSingle(own) && own.known.includes(own.name))) continue;
    const own = products.filter((product) => selects(selector, product) && !around.isHidden(product));
    if (names.length === 0 || own.length === 0 || !own.every(({ noDiscount }) => noDiscount)) continue;
    yield { path: `${path}.${place}`, text: 'nobody can get it: no listed product that qualifies may be discounted' };
  }
}

/** Warns of a programme that no venue runs. */
export function* findUnusedProgramme({ path, venues, benefits, isComplete }: Surroundings): Generator<Warning> {
  if (!isComplete || venues.length > 0 || benefits.length === 0) return;
  yield { path: `${path}.programmeId`, text: 'nobody can get its benefits: no venue runs this programme' };
}

function* findEnded(benefit: BenefitDefinition, path: string, { today }: Surroundings): Generator<Warning> {
  const windows = windowsOf(benefit.when);
  // Dates such as 2026-01-31 are in order as texts.
  if (windows.length === 0 || !windows.every(({ to }) => to !== undefined && to < today)) return;
  const last = windows
    .map(({ to }) => to!)
    .toSorted()
    .at(-1);
  const place = Array.isArray(benefit.when) ? `${path}.when` : `${path}.when.to`;
  yield { path: place, text: `nobody can get it: it ended on ${last}` };
}

function* findForeignVenues(benefit: BenefitDefinition, path: string, { venues }: Surroundings): Generator<Warning> {
  const windows = windowsOf(benefit.when);
  const isOurs = (venueId: string) => venues.some((venue) => venue.venueId === venueId);
  const isForeign = ({ venueIds = [] }: { readonly venueIds?: readonly string[] }) =>
    venueIds.length > 0 && !venueIds.some(isOurs);
  if (venues.length === 0 || windows.length === 0 || !windows.every(isForeign)) return;
  yield { path: `${path}.when`, text: 'nobody can get it: none of its venueIds runs this programme' };
}

/** Warns of a benefit that takes more units at once than it may take in a basket, or than its limit has. */
function* findTooFewUnits(benefit: BenefitDefinition, path: string): Generator<Warning> {
  const { kind, maximumUnits = Number.POSITIVE_INFINITY } = benefit;
  const atOnce =
    kind === 'bundle_price'
      ? benefit.items.reduce((units, { quantity }) => units + quantity, 0)
      : kind === 'buy_x_get_y'
        ? benefit.get.complete
          ? benefit.get.quantity
          : 1
        : 1;
  const takes = `nobody can get it: it takes ${atOnce} units at once`;
  if (atOnce > maximumUnits) {
    yield { path: `${path}.maximumUnits`, text: `${takes}, and ${maximumUnits} in a basket` };
  }
  for (const [{ counts, quantity }, place] of placedLimits(benefit, path)) {
    if (counts !== 'items' || atOnce <= (quantity as number)) continue;
    yield { path: `${place}.quantity`, text: `${takes}, and its limit has ${quantity}` };
  }
}

/** Warns of a benefit that never saves as much as it has to. */
function* findSavingBeyondCap(benefit: BenefitDefinition, path: string, { venues }: Surroundings): Generator<Warning> {
  for (const currency of new Set(venuesOf(benefit, venues).flatMap(({ currencies }) => currencies))) {
    const least = amountIn(benefit.minimumSaving, currency) ?? 0;
    const caps = [
      benefit.maximumDiscount,
      benefit.kind === 'order_amount' && benefit.perSpend === undefined ? benefit.amount : undefined,
      ...limitsOf<LimitDefinition>(benefit).flatMap(({ counts, quantity }) => (counts === 'money' ? [quantity] : [])),
    ];
    const most = Math.min(...caps.map((cap) => amountIn(cap, currency) ?? Number.POSITIVE_INFINITY));
    if (least <= most) continue;
    const text = `nobody can get it in ${currency}: it saves at most ${most}, and ${least} at least are asked for`;
    yield { path: `${path}.minimumSaving`, text };
  }
}

function* findForeignCurrencies(
  benefit: BenefitDefinition,
  path: string,
  { venues }: Surroundings,
): Generator<Warning> {
  if (venues.length === 0) return;
  const known = [...new Set(venues.flatMap(({ currencies }) => currencies))];
  for (const [field, amount] of amountsOf(benefit)) {
    for (const currency of Object.keys(amount)) {
      if (known.includes(currency)) continue;
      const text = `no venue of the programme has this currency, ${currency}${suggest(currency, known)}`;
      yield { path: `${path}.${field}.${currency}`, text };
    }
  }
  const [priced, open] = [currenciesOf(benefit), venuesOf(benefit, venues)];
  const sold = [...new Set(open.flatMap((venue) => currenciesAt(benefit, venue)))];
  if (!priced || sold.length === 0 || priced.some((currency) => sold.includes(currency))) return;
  const list = kindOf(benefit).usesPriceList ? 'the product list of ' : '';
  const where = open.length < venues.length ? 'a venue where it runs' : 'a venue';
  yield { path, text: `nobody can get it: no currency of ${list}${where}, ${sold.join(' or ')}, has all its amounts` };
}

function* findUnknownTiers(benefit: BenefitDefinition, path: string, around: Surroundings): Generator<Warning> {
  const known = around.members.flatMap(({ tier }) => tier ?? []);
  if (around.members.length === 0) return;
  const whens = whensOf(benefit, path);
  const isStrange = (tier: string) => !known.includes(tier) && (around.mentions.get(`tiers ${tier}`) ?? 0) < 2;
  for (const [{ tiers = [] }, place] of whens) {
    for (const [t, tier] of tiers.entries()) {
      if (!isStrange(tier)) continue;
      const who = tiers.every(isStrange) && whens.length === 1 ? 'nobody can get it: ' : '';
      const text = `${who}no member and no other benefit has the tier ${tier}${suggest(tier, known)}`;
      yield { path: `${place}.tiers[${t}]`, text };
    }
  }
}

/** Warns of a selector of which no name is known elsewhere, and of single names that look like a mistyped one. */
function* findUnknownProducts(benefit: BenefitDefinition, path: string, around: Surroundings): Generator<Warning> {
  if (around.products.length === 0) return;
  for (const [place, selector] of namingSelectorsOf(benefit)) {
    const names = namesIn(selector, around.products);
    const strange = names.filter(
      ({ list, name, known }) => !known.includes(name) && (around.mentions.get(`${list} ${name}`) ?? 0) < 2,
    );
    const isLost = strange.length === names.length;
    for (const { list, name, index, known } of strange) {
      if (!isLost && !looksMistyped(name, known)) continue;
      const who = isLost ? 'nobody can get it: ' : '';
      const text = `${who}no product of a venue and no other benefit has this name, ${name}${suggest(name, known)}`;
      yield { path: `${path}.${place}.${list}[${index}]`, text };
    }
  }
}

/** A reward such as the tenth coffee of a stamp card is granted later, one by one, by whoever counts the stamps. */
function* findUngranted(benefit: BenefitDefinition, path: string, around: Surroundings): Generator<Warning> {
  const { audience, benefitId } = benefit;
  if (audience !== 'granted' || around.members.length === 0 || isReward(benefit)) return;
  const isOpen = (grant: string | { readonly benefitId: string; readonly to?: string }): boolean =>
    typeof grant === 'string'
      ? grant === benefitId
      : grant.benefitId === benefitId && (grant.to === undefined || grant.to >= around.today);
  if (around.members.some(({ grants = [] }) => grants.some(isOpen))) return;
  yield { path: `${path}.audience`, text: 'nobody can get it: no known member has a grant of it' };
}
