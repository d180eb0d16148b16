/** Units with their modifiers (packages/engine/README.md, Units with modifiers). */
import { priceOf } from '../../packages/conformance/src/kit/judge/decimal.ts';
import { familyOf, isEach, offUnits, takesPercentage } from './kinds.ts';
import { percentageOf, sumOf } from './share.ts';
import type { Line, LinePlan, Offer, Part, PricedBenefit, SettleRules } from './types.ts';

/** Benefits on the order, and products that are given, see lines one by one. */
export function isAtLineLevel(benefit: PricedBenefit): boolean {
  return !['gift', 'order'].includes(familyOf(benefit));
}

/** The lines that a selector takes, as units: a head with the lines below it that cost something, or each line alone. */
export function unitsOf(
  taken: readonly Line[],
  lines: readonly Line[],
  hidden: ReadonlySet<Line>,
  joins: boolean,
): Line[][] {
  if (!joins) return taken.map((line) => [line]);
  return taken.filter((line) => headOf(line, lines) === line).map((head) => unitOf(head, lines, hidden));
}

function unitOf(head: Line, lines: readonly Line[], hidden: ReadonlySet<Line>): Line[] {
  const below = lines.filter(
    (line) => line !== head && headOf(line, lines) === head && line.body.originalLinePrice > 0 && !hidden.has(line),
  );
  return [head, ...below];
}

/** The line above this one that is below none. */
function headOf(line: Line, lines: readonly Line[]): Line {
  let head = line;
  for (let at: Line | undefined = line; at; at = lines.find(({ body }) => body.lineId === at!.body.parentLineId))
    head = at;
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

/** The lines as benefits at line level see them, with the offers on them. */
export function arrange(
  offers: readonly Offer[],
  lines: readonly Line[],
  hidden: ReadonlySet<Line>,
): { readonly offers: Offer[]; readonly lines: Line[] } {
  const joined = new Map<Line, Line>();
  const gone = new Set<Line>();
  for (const head of lines) {
    const unit = headOf(head, lines) === head ? unitOf(head, lines, hidden) : [head];
    joined.set(head, unit.length > 1 ? join(unit) : head);
    for (const line of unit.slice(1)) gone.add(line);
  }
  for (const line of gone) joined.delete(line);
  const seen = (line: Line): Line[] => {
    const own = joined.get(line);
    return own ? [own] : [];
  };
  const arranged = offers.map((offer) => {
    const { rungUp } = offer;
    const given = rungUp && { rungUp: { ...rungUp, lines: new Set([...rungUp.lines].flatMap(seen)) } };
    if (!isAtLineLevel(offer.benefit)) return { ...offer, ...given };
    return { ...offer, eligible: offer.seen.map((units) => new Set(units.flatMap(([head]) => seen(head!)))) };
  });
  return { offers: arranged, lines: [...joined.values()].sort((a, b) => a.position - b.position) };
}

function join(lines: readonly Line[]): Line {
  const [head] = lines as [Line, ...Line[]];
  const joined = lines.map((line) => ({ line, perUnit: perUnitOf(line, head) }));
  const isDiscountable = (line: Line) => line.takesLineLevel && costsOpenly(line, false) && perUnitOf(line, head) > 0;
  return {
    ...head,
    price: sumOf(joined, (own) => own.perUnit * own.line.price),
    isSplittable: false,
    takesLineLevel: head.takesLineLevel && lines.some(isDiscountable),
    joined,
  };
}

/** True where a benefit may take something off this line of a unit. */
function isTouched(line: Line, benefit: PricedBenefit): boolean {
  return line.takesLineLevel && costsOpenly(line, takesPercentage(benefit));
}

/** True where a percentage off one given unit is a minor unit at least; and what it takes off. */
export function givenOff(line: Line, benefit: PricedBenefit, percent: number, rules: SettleRules): number {
  const off = (own: Line, units: number) =>
    percentageOf(afterExisting(own, units, own.units, own.body.existingLineDiscountAmount, rules), percent);
  if (!line.joined) return off(line, 1);
  const touched = line.joined.filter((part) => isTouched(part.line, benefit));
  return sumOf(touched, (part) => (part.perUnit === 0 ? 0 : off(part.line, part.perUnit)));
}

/** Rule 15: what so many units cost of those that have an existing discount together; only under `stack` it stays on them. */
export function afterExisting(line: Line, units: number, all: number, existing: number, rules: SettleRules): number {
  const price = units * line.price;
  return rules.existingLineDiscounts === 'stack' ? price - Math.floor((2 * existing * units + all) / (2 * all)) : price;
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
      line,
      existing,
      allocated,
      originalPrice,
      unit,
      boughtUnits,
      offer: isTaken || boughtUnits > 0 ? offer : undefined,
      units: isTaken ? count : 0,
      ...(isTaken && share !== undefined && { share }),
      cost: originalPrice - existing - allocated,
    };
  });
}

/** What a benefit takes off one unit with modifiers alone, before anything is replaced. */
export function offJoinedUnit(joinedLine: Line, offer: Offer, rules: SettleRules): number {
  const wholes = joinedLine.joined!.map(({ line, perUnit }): Whole => {
    const { existingLineDiscountAmount: existing, orderDiscountAllocation } = line.body;
    const allocated = sumOf(orderDiscountAllocation, ({ orderDiscountId, orderDiscountAllocationAmount }) =>
      rules.removed.has(orderDiscountId) ? 0 : orderDiscountAllocationAmount,
    );
    return { line, existing, allocated, count: joinedLine.units === 1 ? line.units : perUnit, boughtUnits: 0 };
  });
  const policy = rules.existingLineDiscounts === 'stack' ? 'stack' : 'keep';
  return sumOf(sharesOf(joinedLine, offer, wholes, 1, { ...rules, existingLineDiscounts: policy }), (share) => share);
}

/** Rule 19: bought units share what is given unless a discount or the line itself forbids it. */
function mayShare({ body }: Line, { existingLineDiscounts }: SettleRules): boolean {
  const { noDiscount, noPercentageDiscount, originalLinePrice, existingLineDiscountAmount } = body;
  const isOpenToIt = !noDiscount && !noPercentageDiscount && originalLinePrice > 0;
  return isOpenToIt && (existingLineDiscountAmount === 0 || existingLineDiscounts === 'stack');
}

function isGrouped({ benefit }: Offer): boolean {
  return ['sets', 'bundle'].includes(familyOf(benefit));
}

/** What the benefit takes off each line, before caps; nothing where the existing discount that would go is as large. */
function sharesOf(
  joinedLine: Line,
  { benefit }: Offer,
  wholes: readonly Whole[],
  units: number,
  rules: SettleRules,
): number[] {
  const { existingLineDiscounts } = rules;
  const prices = wholes.map(({ line, count }) => (isTouched(line, benefit) ? count * line.price : 0));
  const rooms = wholes.map(({ line, existing, allocated }) => {
    return line.body.originalLinePrice - allocated - (existingLineDiscounts === 'stack' ? existing : 0);
  });
  const { isCounted, body } = joinedLine;
  const price = sumOf(prices, (each) => each);
  const times = (amount: number) => (isCounted ? units * amount : Number(priceOf(body.quantity, amount)));
  const isEachLine = isEach(benefit);
  let left = isEachLine ? 0 : offUnits(benefit, { units, unitPrice: body.unitPrice, price, cost: price, times });
  return wholes.map(({ line, existing, count }, n) => {
    const most = Math.min(prices[n]!, rooms[n]!);
    const cost = prices[n]! === 0 ? 0 : afterExisting(line, count, line.units, existing, rules);
    const ofLine = {
      units: count,
      unitPrice: line.price,
      price: prices[n]!,
      cost,
      times: (each: number) => count * each,
    };
    const share = Math.min(isEachLine ? offUnits(benefit, ofLine) : left, most);
    if (!isEachLine) left -= share;
    return existingLineDiscounts === 'replace_if_larger' && share <= existing ? 0 : share;
  });
}
