import { allocate } from '@loyalty/contract/money/allocate';
import { PLAIN_AMOUNT } from '../compile/rule.ts';
import type { ExistingLineDiscounts } from '../lines/lines.ts';
import { isAt, type UnitOffer } from '../offers/offers.ts';
import { roomOf, type SettledPart } from './settled-part.ts';

/** Sets that share what is given over all their units, so that each line costs what a return of it is worth. */

/**
 * Shares anew what the offers that spread take off their given units, over all units of their sets. What the parts save
 * together stays the same. Bought and given units of one line become one part where no existing discount parts them.
 */
export function spreadSets(
  parts: SettledPart[],
  offers: Iterable<UnitOffer>,
  policy: ExistingLineDiscounts,
): SettledPart[] {
  let shared = parts;
  for (const offer of offers) {
    if (isAt(offer, 'buyGet') && offer.benefit.rule.spreads) shared = spreadOffer(shared, offer, policy);
  }
  return shared;
}

function spreadOffer(parts: readonly SettledPart[], offer: UnitOffer, policy: ExistingLineDiscounts): SettledPart[] {
  const members = parts.filter((part) => part.offer === offer);
  const given = members.reduce((sum, { effect }) => sum + effect, 0);
  const weights = members.map(({ line, effectUnits, boughtUnits }) => (effectUnits + boughtUnits) * line.unitPrice);
  const caps = members.map((part) => (keepsDiscount(part, policy) ? 0 : roomOf(part, policy)));
  const shares = allocate(given, weights, caps);
  for (const [at, part] of members.entries()) {
    if (shares[at] === 0 && hasCleared(part)) moveOne(shares, at, members);
  }
  const shared: SettledPart[] = [];
  let next = 0;
  for (const part of parts) {
    if (part.offer !== offer) {
      shared.push(part);
      continue;
    }
    const own = withShare(part, shares[next++]!, policy);
    const before = shared.at(-1);
    const joins = before?.offer === offer && before.line === part.line;
    if (joins) shared[shared.length - 1] = join(before, own);
    else shared.push(own);
  }
  return shared;
}

function hasCleared({ existing, isCleared }: SettledPart): boolean {
  return isCleared && existing > 0;
}

/**
 * An existing discount gives way to a discount only, so the part has a minor unit of the largest share. There is one that can
 * spare it: every part that has cleared a discount had an effect before.
 */
function moveOne(shares: number[], to: number, members: readonly SettledPart[]): void {
  let from = -1;
  for (const [at, share] of shares.entries()) {
    const isSpare = share > 1 || (share === 1 && !hasCleared(members[at]!));
    if (isSpare && (from < 0 || share > shares[from]!)) from = at;
  }
  shares[from]! -= 1;
  shares[to]! += 1;
}

/** Nothing was to be had for a given unit, so its existing discount has stayed. */
function keepsDiscount({ existing, isCleared }: SettledPart, policy: ExistingLineDiscounts): boolean {
  return policy === 'replace_if_larger' && existing > 0 && !isCleared;
}

function withShare(part: SettledPart, share: number, policy: ExistingLineDiscounts): SettledPart {
  return {
    ...part,
    effect: share,
    expression: PLAIN_AMOUNT,
    isCleared: share > 0 && policy === 'replace_if_larger',
    rest: part.rest + part.effect - share,
  };
}

/** The bought and the given units of a line; units share only where no existing discount parts them (rule 19). */
function join(a: SettledPart, b: SettledPart): SettledPart {
  return {
    ...a,
    units: a.units + b.units,
    effectUnits: a.effectUnits + b.effectUnits,
    boughtUnits: a.boughtUnits + b.boughtUnits,
    original: a.original + b.original,
    existing: a.existing + b.existing,
    allocations: a.allocations!.map((share, d) => share + b.allocations![d]!),
    allocated: a.allocated + b.allocated,
    items: a.items + b.items,
    effect: a.effect + b.effect,
    isCleared: a.isCleared || b.isCleared,
    rest: a.rest + b.rest,
  };
}
