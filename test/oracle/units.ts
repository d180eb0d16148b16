/** Units with their modifiers (src/pricing/README.md, Units with modifiers). */
import { priceOf } from '../../packages/conformance/src/kit/judge/decimal.ts';
import { isNamed, matchingLines, type Selector } from './selectors.ts';
import { percentageOf, sumOf } from './share.ts';
import type { Line, LinePlan, Offer, Part, PricedBenefit, SettleRules } from './types.ts';

/** True for kinds of which lines with `noPercentageDiscount` take no part. */
export function takesPercentage(benefit: PricedBenefit): boolean {
  const isBundle = benefit.kind === 'bundle_price' && benefit.percent !== undefined;
  return isBundle || ['line_percent', 'buy_x_get_y', 'order_percent'].includes(benefit.kind);
}

/** The lines that a selector takes, as units: a head with the lines below it that cost something, or a line alone. */
export function unitsSeen(selector: Selector, lines: readonly Line[], hidden: ReadonlySet<Line>): Line[][] {
  const units = new Map<Line, Line[]>();
  for (const line of matchingLines(selector, lines, hidden)) {
    const head = selector.includeModifiers ? headOf(line, selector, lines, hidden) : line;
    const unit = units.get(head) ?? [head];
    if (line !== head && line.body.originalLinePrice > 0) unit.push(line);
    units.set(head, unit);
  }
  return [...units.values()];
}

/** The highest line at or above this one that the selector names. */
function headOf(line: Line, selector: Selector, lines: readonly Line[], hidden: ReadonlySet<Line>): Line {
  let head = line;
  for (let at: Line | undefined = line; at; at = lines.find(({ body }) => body.lineId === at!.body.parentLineId)) {
    if (!hidden.has(at) && isNamed(selector, at.body)) head = at;
  }
  return head;
}

/** The head may take part, and some of its lines costs something that may be discounted. */
export function mayTakePart([head, ...modifiers]: readonly Line[], isPercentage: boolean): boolean {
  return (
    isOpen(head!, isPercentage) &&
    [head!, ...modifiers].some((line) => costsOpenly(line, isPercentage) && perUnitOf(line, head!) > 0)
  );
}

function perUnitOf({ units, isCounted }: Line, head: Line): number {
  if (head.units === 1) return units;
  return isCounted ? Math.floor(units / head.units) : 0;
}

function isOpen({ body }: Line, isPercentage: boolean): boolean {
  return !body.noDiscount && !(isPercentage && body.noPercentageDiscount);
}

function costsOpenly(line: Line, isPercentage: boolean): boolean {
  return isOpen(line, isPercentage) && line.body.originalLinePrice > 0;
}

/** Every way to say which lines stand together, with the offers that are left to those lines. */
export function* arrangements(
  offers: readonly Offer[],
  lines: readonly Line[],
): Generator<{ readonly offers: Offer[]; readonly lines: Line[] }> {
  const families = new Map<string, readonly Line[]>();
  for (const { seen, benefit } of offers) {
    if (benefit.kind === 'free_product' || benefit.kind.startsWith('order')) continue;
    for (const unit of seen.flat()) if (unit.length > 1) families.set(keyOf(unit), unit);
  }
  for (const chosen of disjoint([...families.values()])) {
    const joined = new Map(chosen.map((unit) => [keyOf(unit), join(unit, offers)]));
    const gone = new Set(chosen.flat());
    const seenAs = (unit: readonly Line[]) =>
      unit.length > 1 ? (joined.get(keyOf(unit)) ?? []) : gone.has(unit[0]!) ? [] : unit[0]!;
    const arranged = offers.map((offer) => {
      if (offer.benefit.kind.startsWith('order')) return offer;
      const { rungUp } = offer;
      const given = rungUp && {
        rungUp: { ...rungUp, lines: new Set([...rungUp.lines].filter((line) => !gone.has(line))) },
      };
      return { ...offer, ...given, eligible: offer.seen.map((units) => new Set(units.flatMap(seenAs))) };
    });
    yield { offers: arranged, lines: [...joined.values(), ...lines.filter((line) => !gone.has(line))].sort(byPlace) };
  }
}

function byPlace(a: Line, b: Line): number {
  return a.position - b.position;
}

function keyOf(unit: readonly Line[]): string {
  return unit.map(({ position }) => position).join();
}

function disjoint(families: readonly (readonly Line[])[]): (readonly Line[])[][] {
  const [first, ...others] = families;
  if (!first) return [[]];
  const without = disjoint(others);
  const fitting = without.filter((chosen) => !chosen.flat().some((line) => first.includes(line)));
  return [...without, ...fitting.map((chosen) => [first, ...chosen])];
}

/** A benefit of single lines that nothing limits. */
function isFree({ benefit, items, shared, spendsGrant }: Offer): boolean {
  const isOfLine = ['line_percent', 'line_amount', 'unit_price'].includes(benefit.kind);
  const { group, minimumSaving, limit } = benefit;
  const cap = 'maximumDiscount' in benefit ? benefit.maximumDiscount : undefined;
  // Once in every basket is no limit.
  const isLimited = limit !== undefined && (limit.period !== 'basket' || shared !== undefined);
  return isOfLine && items === Infinity && !cap && !isLimited && !spendsGrant && group === undefined && !minimumSaving;
}

function join(lines: readonly Line[], offers: readonly Offer[]): Line {
  const [head, ...modifiers] = lines as [Line, ...Line[]];
  const seesAlone = ({ seen: [units] }: Offer, line: Line) =>
    units!.some((unit) => unit.length === 1 && unit[0] === line);
  const joined = lines.map((line) => ({
    line,
    perUnit: perUnitOf(line, head),
    alone: offers.filter((offer) => isFree(offer) && seesAlone(offer, line)),
  }));
  const isDiscountable = (line: Line) => line.takesLineLevel && costsOpenly(line, false) && perUnitOf(line, head) > 0;
  return {
    ...head,
    price: sumOf(joined, (own) => own.perUnit * own.line.price),
    isSplittable: false,
    takesLineLevel: head.takesLineLevel && [head, ...modifiers].some(isDiscountable),
    joined,
  };
}

/** True where a benefit may take something off this line of a unit. */
function isTouched(line: Line, benefit: PricedBenefit): boolean {
  return line.takesLineLevel && costsOpenly(line, takesPercentage(benefit));
}

/** True where a percentage off one given unit is a minor unit at least; and what it takes off. */
export function givenOff(line: Line, benefit: PricedBenefit, percent: number): number {
  if (!line.joined) return percentageOf(line.price, percent);
  const own = line.joined.filter((part) => isTouched(part.line, benefit));
  return sumOf(own, (part) => percentageOf(part.perUnit * part.line.price, percent));
}

/** The existing discounts on what would be given. */
export function existingOf(line: Line, benefit: PricedBenefit): number {
  const own = line.joined?.flatMap((part) => (isTouched(part.line, benefit) ? part.line : [])) ?? [line];
  return sumOf(own, ({ body }) => body.existingLineDiscountAmount);
}

/** The lines with what each unit of the line has of them, those alone that the benefit may discount. */
export function touchedLines(line: Line, benefit: PricedBenefit): readonly { line: Line; perUnit: number }[] {
  return line.joined?.filter((part) => isTouched(part.line, benefit)) ?? [{ line, perUnit: 1 }];
}

interface Whole {
  readonly line: Line;
  readonly existing: number;
  readonly allocated: number;
  /** Units that the benefit discounts, and those that were bought for it and share what it gives. */
  readonly count: number;
  readonly boughtUnits: number;
}

/** Units of a line that stands with others, as the lines of the basket: each whole, for none of them can be split. */
export function partsOfUnits({ line: joinedLine, taken, apart, sharing, rest }: LinePlan, rules: SettleRules): Part[] {
  const [[giver, given] = []] = taken;
  const [[spreader, bought = 0] = []] = sharing;
  const offer = giver ?? spreader ?? (apart === 0 ? rest : undefined);
  const units = given ?? (spreader ? 0 : joinedLine.units);
  const wholes = joinedLine.joined!.map(({ line, perUnit }): Whole => {
    const isAll = offer && !isGrouped(offer) && units === joinedLine.units;
    const { existingLineDiscountAmount: existing, orderDiscountAllocation } = line.body;
    const allocated = sumOf(orderDiscountAllocation, ({ orderDiscountId, orderDiscountAllocationAmount }) =>
      rules.removed.has(orderDiscountId) ? 0 : orderDiscountAllocationAmount,
    );
    const boughtUnits = mayShare(line, rules) ? bought * perUnit : 0;
    return { line, existing, allocated, count: isAll ? line.units : units * perUnit, boughtUnits };
  });
  const isBundle = offer?.benefit.kind === 'bundle_price';
  const shares = offer && !isBundle ? sharesOf(joinedLine, offer, wholes, units, rules) : [];
  let items = units;
  return wholes.map(({ line, existing, allocated, count, boughtUnits }, n) => {
    const share = shares[n];
    const isTaken = isBundle ? count > 0 && isTouched(line, offer.benefit) : (share ?? 0) > 0;
    const originalPrice = line.body.originalLinePrice;
    const unit = { line: joinedLine, items: isTaken ? items : 0 };
    if (isTaken) items = 0;
    return {
      ...{ line, existing, allocated, originalPrice, unit, boughtUnits },
      offer: isTaken || boughtUnits > 0 ? offer : undefined,
      units: isTaken ? count : 0,
      ...(isTaken && share !== undefined && { share }),
      cost: originalPrice - existing - allocated,
    };
  });
}

/** Rule 19: bought units share what is given unless a discount or the line itself forbids it. */
function mayShare({ body }: Line, { existingLineDiscounts }: SettleRules): boolean {
  const { noDiscount, noPercentageDiscount, originalLinePrice, existingLineDiscountAmount } = body;
  const isOpenToIt = !noDiscount && !noPercentageDiscount && originalLinePrice > 0;
  return isOpenToIt && (existingLineDiscountAmount === 0 || existingLineDiscounts === 'stack');
}

function isGrouped({ benefit }: Offer): boolean {
  return benefit.kind === 'buy_x_get_y' || benefit.kind === 'bundle_price';
}

/** What the benefit takes off each line, before caps; nothing where the existing discount that would go is as large. */
function sharesOf(
  joinedLine: Line,
  { benefit }: Offer,
  wholes: readonly Whole[],
  units: number,
  { existingLineDiscounts }: SettleRules,
): number[] {
  const prices = wholes.map(({ line, count }) => (isTouched(line, benefit) ? count * line.price : 0));
  const rooms = wholes.map(({ line, existing, allocated }) => {
    return line.body.originalLinePrice - allocated - (existingLineDiscounts === 'stack' ? existing : 0);
  });
  let left = offTogether(
    benefit,
    joinedLine,
    units,
    sumOf(prices, (price) => price),
  );
  return wholes.map(({ existing }, n) => {
    const most = Math.min(prices[n]!, rooms[n]!);
    const share =
      left === undefined ? Math.min(percentageOf(prices[n]!, percentOf(benefit)), most) : Math.min(left, most);
    if (left !== undefined) left -= share;
    return existingLineDiscounts === 'replace_if_larger' && share <= existing ? 0 : share;
  });
}

function percentOf(benefit: PricedBenefit): number {
  if (benefit.kind === 'line_percent') return benefit.percent;
  if (benefit.kind === 'buy_x_get_y') return benefit.get.percent ?? 100;
  throw new Error(`${benefit.kind} has no percentage`);
}

/** Of kinds that speak of the unit: what they take off units that cost `price` together. */
function offTogether(
  benefit: PricedBenefit,
  { isCounted, body }: Line,
  units: number,
  price: number,
): number | undefined {
  const times = (amount: number) => (isCounted ? units * amount : Number(priceOf(body.quantity, amount)));
  if (benefit.kind === 'line_amount') {
    return Math.min(price, benefit.per === 'unit' ? times(benefit.amount) : benefit.amount);
  }
  return benefit.kind === 'unit_price' ? Math.max(0, price - times(benefit.unitPrice)) : undefined;
}
