/** What sets give, shared over all their units (packages/engine/README.md, rule 19). */
import { shareUnderCaps, sumOf } from './share.ts';
import type { Offer, Part, SettleRules } from './types.ts';

export function isSpread({ benefit }: Offer): boolean {
  return benefit.kind === 'buy_x_get_y' && (benefit.spread ?? false);
}

/** The settled parts after one offer has shared what it gives. */
export function spread(parts: readonly Part[], offer: Offer, rules: SettleRules): Part[] {
  const own = parts.filter((part) => part.offer === offer);
  const given = sumOf(own, effectOn);
  const isReplaced = rules.existingLineDiscounts === 'replace_if_larger';
  const weights = own.map(({ line, units, boughtUnits }) => (units + boughtUnits) * line.price);
  const caps = own.map((part) => (isReplaced && part.existing > 0 && !part.isCleared ? 0 : roomOf(part, rules)));
  const shares = shareUnderCaps(given, weights, caps);
  const hasCleared = (at: number) => own[at]!.isCleared === true && own[at]!.existing > 0;
  for (const at of shares.keys()) {
    if (shares[at]! > 0 || !hasCleared(at)) continue;
    // It has one minor unit of the first of the largest shares, of which a cleared part keeps one.
    const spare = [...shares.keys()].filter((other) => shares[other]! > (hasCleared(other) ? 1 : 0));
    const from = spare.sort((a, b) => shares[b]! - shares[a]! || a - b)[0]!;
    shares[from]! -= 1;
    shares[at]! += 1;
  }
  const shared = parts.map((part) => {
    const at = own.indexOf(part);
    return at < 0 ? part : { ...part, cost: part.cost + effectOn(part) - shares[at]! };
  });
  const joined: Part[] = [];
  for (const part of shared) {
    const before = joined.at(-1);
    const isSameLine = part.offer === offer && before?.offer === offer && before.line === part.line;
    if (isSameLine && (!isReplaced || part.existing === 0)) joined.push(add(joined.pop()!, part));
    else joined.push(part);
  }
  return joined;
}

function effectOn({ originalPrice, existing, allocated, isCleared, cost }: Part): number {
  return originalPrice - (isCleared ? 0 : existing) - allocated - cost;
}

function add(a: Part, b: Part): Part {
  return {
    ...a,
    units: a.units + b.units,
    boughtUnits: a.boughtUnits + b.boughtUnits,
    originalPrice: a.originalPrice + b.originalPrice,
    existing: a.existing + b.existing,
    allocated: a.allocated + b.allocated,
    cost: a.cost + b.cost,
  };
}

export function roomOf({ originalPrice, existing, allocated }: Part, { existingLineDiscounts }: SettleRules): number {
  return originalPrice - allocated - (existingLineDiscounts === 'stack' ? existing : 0);
}
