import { parseHours } from '@loyalty/engine/compile/window';
import { UNRESTRICTED } from '../unrestricted.ts';
import type { WrittenBenefit } from '../written-benefit.ts';
import { type Around, ofWindow, type Said } from './advice.ts';
import { suggest } from './names.ts';

/** Advice about when and for whom a benefit is open. */

export function* endedBenefit({ benefit, windows }: WrittenBenefit, { today }: Around): Generator<Said> {
  const ends = windows.flatMap(([, { to }]) => to ?? []);
  // Dates such as 2026-01-31 are in order as texts.
  if (windows.length === 0 || ends.length < windows.length || !ends.every((to) => to < today)) return;
  const place = Array.isArray(benefit.when) ? 'when' : 'when.to';
  yield [place, `nobody can get it: it ended on ${ends.toSorted().at(-1)}`];
}

export function* foreignVenues({ windows }: WrittenBenefit, { venues }: Around): Generator<Said> {
  const isOurs = (venueId: string) => venues.some((venue) => venue.venueId === venueId);
  const isForeign = (venueIds: readonly string[] = []) => venueIds.length > 0 && !venueIds.some(isOurs);
  if (venues.length === 0 || windows.length === 0 || !windows.every(([, { venueIds }]) => isForeign(venueIds))) return;
  yield ['when', 'nobody can get it: none of its venueIds runs this programme'];
}

export function* unknownTiers({ windows }: WrittenBenefit, { members, mentions }: Around): Generator<Said> {
  if (members.length === 0) return;
  const known = members.flatMap(({ tier }) => tier ?? []);
  const isStrange = (tier: string) => !known.includes(tier) && (mentions.get(`tiers ${tier}`) ?? 0) < 2;
  for (const [place, { tiers = [] }] of windows) {
    const who = tiers.every(isStrange) && windows.length === 1 ? 'nobody can get it: ' : '';
    for (const [t, tier] of tiers.entries()) {
      const sentence = `${who}no member and no other benefit has the tier ${tier}${suggest(tier, known)}`;
      if (isStrange(tier)) yield [`${place}.tiers[${t}]`, sentence];
    }
  }
}

const MINUTES_PER_HALF_DAY = 12 * 60;
const MINUTES_PER_DAY = 24 * 60;

/** Hours that end before they begin and would last more than half a day; 22:00-02:00 is a night. */
export const backwardHours = ofWindow('hours', ({ hours }) => {
  const parsed = hours === undefined ? undefined : parseHours(hours);
  if (!parsed || parsed.toMinute > parsed.fromMinute) return undefined;
  const minutes = parsed.toMinute + MINUTES_PER_DAY - parsed.fromMinute;
  if (minutes <= MINUTES_PER_HALF_DAY) return undefined;
  const [from, to] = hours!.split('-');
  return `these hours run backwards: it is open from ${from} past midnight until ${to} of the next day, ${Math.round(minutes / 60)} hours; did you mean ${to}-${from}?`;
});

/** A campaign is planned for so many years ahead at most. */
const YEARS_AHEAD = 3;

/** Dates that begin in many years, of which two digits have mostly changed places. */
export const farBeginning = ofWindow('from', ({ from }, { today }) => {
  const years = from === undefined ? 0 : Number(from.slice(0, 4)) - Number(today.slice(0, 4));
  return years < YEARS_AHEAD ? undefined : `it begins in ${years} years, on ${from}; is the year meant?`;
});

export const LEAVE_OUT = 'leave it out if that is meant';

/** Restrictions whose last entry was taken out: the benefit is then not for nobody, but for all. */
export function* emptiedWindows({ windows }: WrittenBenefit): Generator<Said> {
  for (const [place, window] of windows) {
    const fields = Object.entries(window);
    if (fields.length === 0) yield [place, `an empty window is always open: ${LEAVE_OUT}`];
    for (const [name, value] of fields) {
      if (!Array.isArray(value) || value.length > 0) continue;
      yield [`${place}.${name}`, `an empty list restricts nothing, it means ${UNRESTRICTED[name]}: ${LEAVE_OUT}`];
    }
  }
}
