import type { LocalTime } from '../compile/calendar.ts';
import type { Benefit, BenefitGroup, Programme } from '../compile/programme.ts';
import type { Level, Rule, RuleAt } from '../compile/rule.ts';
import type { LineFacts } from '../lines/lines.ts';
import { perUnitOf } from '../lines/lines.ts';
import { type Matches, type ModifiedUnits, matchedLines, matchLines, namesALine, setKey } from '../lines/matching.ts';
import type { Selector } from '../lines/selector.ts';
import type { LimitedUse } from '../types.ts';
import { COST, type Work } from '../work.ts';
import { type Situation, unmetCondition } from './conditions.ts';
import { chooseGrant } from './grants.ts';
import { limitedUse } from './limits.ts';
import { type Pool, Pools } from './pools.ts';

/** A benefit that is open to this member, here and now, and names at least one line of the basket. */
export interface Offer<Own extends Rule = Rule> {
  readonly benefit: Benefit<Own>;
  readonly matches: Matches;
  /** The uses of its limits; empty where it has none. */
  readonly uses: readonly LimitedUse[];
  /** The grant of the member that it spends, once in a basket. */
  readonly grant: LimitedUse | undefined;
  /** The limit that it shares with other offers of the basket; of several the one that counts items or money. */
  readonly pool: Pool | undefined;
  /** Of each of these groups at most so many offers may apply: its own, and that of a limit by baskets that it shares. */
  readonly groups: readonly BenefitGroup[];
  /** The units that it may take in this basket, by what is left of its limit too; `Infinity` where nothing limits them. */
  readonly items: number;
  /** Minor units that it may take off this basket, by what is left of its limit too; `Infinity` where nothing limits them. */
  readonly mostDiscount: number;
  /** How often its discount on the order comes: once for every full part of the spend that it asks for. */
  readonly times: number;
  /** Units of a product that it adds besides those that it gives on lines (gifts.ts). */
  readonly adds?: { readonly productId: string; readonly quantity: number };
}

export type LineOffer = Offer<RuleAt<'line'>>;
export type BuyGetOffer = Offer<RuleAt<'buyGet'>>;
export type BundleOffer = Offer<RuleAt<'bundle'>>;
export type OrderLevelOffer = Offer<RuleAt<'order'>>;
/** An offer that may draw the cheapest units before all others are chosen. */
export type DrawingOffer = LineOffer | BuyGetOffer;
/** An offer that takes units of lines. */
export type UnitOffer = LineOffer | BuyGetOffer | BundleOffer;

/** True for an offer that spends a limit or a grant. */
export function isLimited({ uses, grant }: Offer): boolean {
  return uses.length > 0 || grant !== undefined;
}

/** True for an offer that spends a limit of which each unit counts. */
export function spendsItems({ uses }: Offer): boolean {
  return uses.some(({ counts }) => counts === 'items');
}

/** True for offers of one family. */
export function isAt<Name extends Level>(offer: Offer, level: Name): offer is Offer<RuleAt<Name>> {
  return offer.benefit.level === level;
}

/** True for an offer that takes a percentage off what it discounts; lines with `noPercentageDiscount` take no part in it. */
export function takesPercentage({ benefit: { selectors } }: Offer): boolean {
  return selectors.at(-1)!.isPercentage;
}

/** The offers for a basket, in the order of their benefitId. `withMinimumsMet` (minimums.ts) asks for their minimums. */
export function findOffers(situation: Situation, available: ReadonlyMap<string, number>, work: Work): Offer[] {
  const { basket, venue, time } = situation;
  const { programme } = venue;
  const matches = matchLines(programme.selectorIndex, basket.lines, work);
  const { exclusions, undiscounted, outside } = programme.selectorIndex;
  const mayBeEmpty =
    exclusions.length + undiscounted.length > 0 || outside !== undefined || matches.modified !== undefined;
  const offers: Offer[] = [];
  const pools = new Pools();
  for (const ordinal of namedBenefits(programme, matches)) {
    const benefit = programme.benefits[ordinal]!;
    // The goods that a benefit requires are named by it too, and are not what it discounts.
    if ((mayBeEmpty || benefit.requires.length > 0) && !namesAnyLine(benefit, matches)) continue;
    work.count(benefit.limits.length > 0 ? COST.limitedOffer : COST.offer);
    if (unmetCondition(benefit, situation)) continue;
    let grant: LimitedUse | undefined;
    if (benefit.audience === 'granted') {
      const standing = chooseGrant(situation.member, benefit.benefitId, time, available);
      if (standing.outcome === 'used up') continue;
      grant = standing.use;
    }
    const drawn =
      benefit.limits.length > 0 ? drawOf(benefit, basket.currency, time, available, pools) : unlimited(benefit);
    if (!drawn) continue;
    const { uses, items, mostDiscount, shared } = drawn;
    const { pool, groups } = sharedBy(benefit, shared, pools);
    offers.push({ benefit, matches, uses, grant, pool, groups, items, mostDiscount, times: 1 });
  }
  return offers;
}

/** What the limits of a benefit leave to one basket. */
interface Draw extends Pick<Offer, 'uses' | 'items' | 'mostDiscount'> {
  /** The limits that it shares with other benefits. */
  readonly shared: readonly Pool[];
}

const NO_USES: readonly LimitedUse[] = [];
const NO_POOLS: readonly Pool[] = [];
const NO_GROUPS: readonly BenefitGroup[] = [];

/** The smallest of the benefit's limits counts. Undefined where one of them is used up. */
function drawOf(
  benefit: Benefit,
  currency: string,
  time: LocalTime,
  available: ReadonlyMap<string, number>,
  pools: Pools,
): Draw | undefined {
  const uses: LimitedUse[] = [];
  const shared: Pool[] = [];
  let { maximumUnits: items, maximumDiscount: mostDiscount } = benefit;
  for (const limit of benefit.limits) {
    const use = limitedUse(benefit, limit, currency, time);
    const left = available.get(use.usageKey) ?? 0;
    if (left <= 0) return undefined;
    uses.push(use);
    if (limit.counts === 'items') items = Math.min(left, items);
    else if (limit.counts === 'money') mostDiscount = Math.min(left, mostDiscount);
    if (limit.limitId !== undefined) shared.push(pools.of(limit, left));
  }
  return { uses, items, mostDiscount, shared };
}

function unlimited({ maximumUnits: items, maximumDiscount: mostDiscount }: Benefit): Draw {
  return { uses: NO_USES, items, mostDiscount, shared: NO_POOLS };
}

/** The pool and the groups of an offer. A shared limit that counts baskets works like a group, of which there may be several. */
function sharedBy(
  { group, sharedInBasket }: Benefit,
  ofLimits: readonly Pool[],
  pools: Pools,
): Pick<Offer, 'pool' | 'groups'> {
  if (ofLimits.length === 0 && sharedInBasket.length === 0) {
    return { pool: undefined, groups: group ? [group] : NO_GROUPS };
  }
  const shared = [...ofLimits, ...sharedInBasket.map((limit) => pools.of(limit, limit.quantity))];
  const groups = shared.flatMap((pool) => pool.group ?? []);
  const pool = shared.find(({ counts }) => counts !== 'baskets') ?? shared[0];
  return { pool, groups: group ? [group, ...groups] : groups };
}

/** Ordinals of the benefits that name a line, ascending: a large programme is not walked for the few that do. */
function namedBenefits({ selectorIndex, unselective }: Programme, { named }: Matches): number[] {
  const ordinals = new Set(unselective);
  for (const id of named) ordinals.add(selectorIndex.selectors[id]!.ordinal);
  return [...ordinals].sort((a, b) => a - b);
}

/** True for a benefit that names a line of the basket. */
export function namesAnyLine({ selectors }: Benefit, matches: Matches): boolean {
  return selectors.some((selector) => namesALine(matches, selector));
}

/** True where a line that the selector names counts for its benefit. */
export function isEligible({ isPercentage }: Selector, line: LineFacts): boolean {
  return line.isOpen && (!isPercentage || line.isOpenToPercentages);
}

/** Equal for selectors that name the same lines, of which the same are eligible: for a percentage there are fewer. */
export function lineListKey({ benefit, matches }: Offer, selectorNumber: number): number | string {
  const selector = benefit.selectors[selectorNumber]!;
  const key = setKey(matches, selector);
  if (!selector.isPercentage) return key;
  return typeof key === 'number' ? key + PERCENTAGE : `${key}%`;
}

/** Above every word of 32 bits. */
const PERCENTAGE = 2 ** 33;

/** The eligible lines under one selector of the benefit, ascending. */
export function eligibleLines(offer: Offer, selectorNumber: number, lines: readonly LineFacts[]): number[] {
  const { matches, benefit } = offer;
  const selector = benefit.selectors[selectorNumber]!;
  const isOwn = selector.isOfUnits && matches.modified ? eligibleUnits(matches.modified, lines) : isEligible;
  return matchedLines(matches, selector).filter((i) => isOwn(selector, lines[i]!));
}

/** Lines below others are no units of their own, and a line with modifiers costs what they cost. */
function eligibleUnits({ families, isAttached }: ModifiedUnits, lines: readonly LineFacts[]): typeof isEligible {
  /** Heads with a modifier that costs something and may be discounted, by a percentage too where one is asked for. */
  const headsOf = (isPercentage: boolean): ReadonlySet<number> => {
    const opens = ({ isOpen, isOpenToPercentages }: LineFacts): boolean =>
      isOpen && (!isPercentage || isOpenToPercentages);
    const own = families.filter(({ head, modifiers }) =>
      modifiers.some((i) => opens(lines[i]!) && perUnitOf(lines[i]!, lines[head]!.units) > 0),
    );
    return new Set(own.map(({ head }) => head));
  };
  const [heads, ofPercentages] = [headsOf(false), headsOf(true)];
  return (selector, line) => {
    if (isAttached[line.index]) return false;
    const own = selector.isPercentage ? ofPercentages : heads;
    return isEligible(selector, own.has(line.index) ? { ...line, isOpen: !line.line.noDiscount } : line);
  };
}

/** The lines on which a line-level benefit, a set or a bundle may have an effect under one selector, ascending. */
export function discountableLines(offer: Offer, selectorNumber: number, lines: readonly LineFacts[]): number[] {
  return eligibleLines(offer, selectorNumber, lines).filter((i) => lines[i]!.isOpenToLineBenefits);
}

/** An upper bound of the saving in minor units: the price of all lines that the offer names, its percentage, its cap. */
export function mostOfOffer(offer: Offer, lines: readonly LineFacts[]): number {
  const { benefit, matches, times, mostDiscount, adds } = offer;
  const { selectors, rule } = benefit;
  if (rule.level === 'gift') return 0;
  // What the head of a given unit does not cost any more comes off its modifiers.
  if (adds && matches.modified) return lines.reduce((sum, { isOpen, incoming }) => (isOpen ? sum + incoming : sum), 0);
  let price = 0;
  for (const i of new Set(selectors.flatMap((selector) => matchedLines(matches, selector))))
    if (lines[i]!.isOpen) price += lines[i]!.incoming;
  const most = rule.level === 'order' ? rule.amount(price, times) : price;
  return Math.min(most, mostDiscount);
}
