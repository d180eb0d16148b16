import type { BenefitGroup } from '../compile/programme.ts';
import { isLimited, mostOfOffer, type Offer } from '../offers/offers.ts';
import { collectGifts } from '../settle/gifts.ts';
import { netCostOf, type Outcome, savingsOf, unitsOf } from './outcome.ts';
import type { DecisionInput, Selection } from './selection.ts';

/** So many choices of the members of groups are tried. */
const MOST_TRIED = 40;

/**
 * The offers with no more members of a group than may apply. All are asked first; where too many apply, those stay that save most, and
 * then others take their place one by one, as long as that saves: a local search.
 */
export function chooseMembers(
  selected: Selection,
  input: DecisionInput,
  price: (selection: Selection) => Outcome | undefined,
): Selection {
  const { selection } = selected;
  const withOnly = (open: ReadonlySet<Offer>): Selection => {
    const own = selection.filter((offer) => offer.groups.length === 0 || open.has(offer));
    return { ...selected, selection: own, gifts: collectGifts(own, input.venue, input.basket) };
  };
  const all = price(selected);
  const members = all ? [...membersOf(all)] : [];
  const applying = new Set(members.flatMap(([, own]) => own));
  if (all && members.every(([group, own]) => own.length <= group.atMost)) {
    // Those that have no effect beside them may not get one later.
    return withOnly(asManyAsMay([...applying, ...selection]));
  }
  const inGroups = selection.filter(({ groups }) => groups.length > 0);
  const most = new Map(inGroups.map((offer) => [offer, mostOfOffer(offer, selected.standing.lines)]));
  const candidates = [...new Set([...applying, ...inGroups.toSorted((a, b) => most.get(b)! - most.get(a)!)])];
  const isOver = (tried: number): boolean => tried >= MOST_TRIED || input.work.left === 0;
  return withOnly(searchMembers(candidates, isOver, (open) => price(withOnly(open))));
}

/** The local search: a candidate takes the place of a member, as long as that saves. Nobody is a member where nothing is permitted. */
function searchMembers(
  candidates: readonly Offer[],
  isOver: (tried: number) => boolean,
  price: (open: ReadonlySet<Offer>) => Outcome | undefined,
): ReadonlySet<Offer> {
  let kept = asManyAsMay(candidates);
  let best = price(kept);
  const tried = new Set<string>();
  for (let isChanged = true; isChanged; ) {
    isChanged = false;
    for (const offer of candidates)
      for (const rival of [...kept]) {
        if (isOver(tried.size)) return best ? kept : new Set();
        if (kept.has(offer) || !rival.groups.some((group) => offer.groups.includes(group))) continue;
        const own = asManyAsMay([offer, ...[...kept].filter((other) => other !== rival), ...candidates]);
        const name = [...own]
          .map(({ benefit }) => benefit.ordinal)
          .sort()
          .join();
        if (tried.has(name)) continue;
        tried.add(name);
        const found = price(own);
        if (found && (!best || savesMore(found, best))) [best, kept, isChanged] = [found, own, true];
      }
  }
  return best ? kept : new Set();
}

/** Of equals those stay that were first. */
function savesMore(outcome: Outcome, other: Outcome): boolean {
  return (netCostOf(outcome) - netCostOf(other) || unitsOf(outcome) - unitsOf(other)) < 0;
}

/** As many of these offers as may apply, the first ones first. */
function asManyAsMay(offers: readonly Offer[]): ReadonlySet<Offer> {
  const open = new Set<Offer>();
  const counts = new Map<BenefitGroup, number>();
  for (const offer of offers) {
    if (open.has(offer) || offer.groups.some((group) => (counts.get(group) ?? 0) >= group.atMost)) continue;
    open.add(offer);
    for (const group of offer.groups) counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  return open;
}

/** The members of groups that have an effect, those first that save most, then that spend nothing, then by priority and ID. */
export function membersOf(outcome: Outcome): Map<BenefitGroup, Offer[]> {
  const savings = savingsOf(outcome);
  const byGroup = new Map<BenefitGroup, Offer[]>();
  for (const offer of savings.keys()) {
    for (const group of offer.groups) {
      const members = byGroup.get(group);
      if (members) members.push(offer);
      else byGroup.set(group, [offer]);
    }
  }
  const compare = (a: Offer, b: Offer): number =>
    savings.get(b)! - savings.get(a)! ||
    Number(isLimited(a)) - Number(isLimited(b)) ||
    b.benefit.priority - a.benefit.priority ||
    a.benefit.ordinal - b.benefit.ordinal;
  for (const members of byGroup.values()) members.sort(compare);
  return byGroup;
}
