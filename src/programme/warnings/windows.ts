import { parseHours } from '@loyalty/engine/compile/window';
import { UNRESTRICTED } from '../unrestricted.ts';
import type { WrittenBenefit } from '../written-benefit.ts';
import { type Around, LEAVE_OUT, type Said } from './advice.ts';
import { suggest } from './names.ts';

/** Advice about when and for whom a benefit is open. */

export function* closedBenefit({ benefit, windows }: WrittenBenefit, { today, venues }: Around): Generator<Said> {
  if (windows.length === 0) return;
  const ends = windows.flatMap(([, { to }]) => to ?? []);
  // Dates such as 2026-01-31 are in order as texts.
  if (ends.length === windows.length && ends.every((to) => to < today)) {
    const place = Array.isArray(benefit.when) ? 'when' : 'when.to';
    yield [place, `nobody can get it: it ended on ${ends.toSorted().at(-1)}`];
  }
  const isOurs = (venueId: string) => venues.some((venue) => venue.venueId === venueId);
  const isForeign = (venueIds: readonly string[] = []) => venueIds.length > 0 && !venueIds.some(isOurs);
  if (venues.length > 0 && windows.every(([, { venueIds }]) => isForeign(venueIds)))
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

const MINUTES_PER_DAY = 24 * 60;
/** A campaign is planned for so many years ahead at most; of a later year two digits have mostly changed places. */
const YEARS_AHEAD = 3;

export function* oddWindows({ windows }: WrittenBenefit, { today }: Around): Generator<Said> {
  for (const [place, window] of windows) {
    const { hours, from = today } = window;
    const years = Number(from.slice(0, 4)) - Number(today.slice(0, 4));
    if (years >= YEARS_AHEAD) yield [`${place}.from`, `it begins in ${years} years, on ${from}; is the year meant?`];
    const { fromMinute = 0, toMinute = 0 } = (hours !== undefined && parseHours(hours)) || {};
    const minutes = toMinute + MINUTES_PER_DAY - fromMinute;
    // 22:00-02:00 is a night.
    if (toMinute < fromMinute && minutes > MINUTES_PER_DAY / 2) {
      const [start, end] = hours!.split('-');
      const open = `it is open from ${start} past midnight until ${end} of the next day, ${Math.round(minutes / 60)} hours`;
      yield [`${place}.hours`, `these hours run backwards: ${open}; did you mean ${end}-${start}?`];
    }
    // A restriction whose last entry was taken out: the benefit is then not for nobody, but for all.
    const fields = Object.entries(window);
    if (fields.length === 0) yield [place, `an empty window is always open: ${LEAVE_OUT}`];
    for (const [name, value] of fields) {
      if (!Array.isArray(value) || value.length > 0) continue;
      yield [`${place}.${name}`, `an empty list restricts nothing, it means ${UNRESTRICTED[name]}: ${LEAVE_OUT}`];
    }
  }
}
