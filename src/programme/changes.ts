import { isDeepStrictEqual } from 'node:util';
import { entriesOf } from '@loyalty/engine/compile/words';
import type { EnvironmentFile } from './schema.ts';

/**
 * The effects of a new configuration that its author may not have meant. A file that was cut off is often still valid, and
 * then it is a configuration with less in it. A list without entries is left out.
 */
export interface Changes {
  /** Limits that begin anew, because what names their counter has changed; a sentence each. */
  readonly restartedLimits?: readonly string[];
  /** Benefits that guests do not get any more, each as `programmeId benefitId`. */
  readonly removedBenefits?: readonly string[];
  /** Venues whose baskets are refused from now on, by their venueId. */
  readonly removedVenues?: readonly string[];
}

type Compared = Pick<EnvironmentFile, 'programmes' | 'venues'>;
type Programmes = EnvironmentFile['programmes'];

/** Compares the configuration in force with the one that takes its place. */
export function findChanges(before: Compared, after: Compared): Changes {
  const venues = new Set(after.venues.map(({ venueId }) => venueId));
  const gone = before.venues.map(({ venueId }) => venueId).filter((venueId) => !venues.has(venueId));
  const found = {
    restartedLimits: findRestartedLimits(before.programmes, after.programmes),
    removedBenefits: missingFrom(before.programmes, after.programmes).map(({ name }) => name),
    // A venue may have several entries.
    removedVenues: [...new Set(gone)],
  };
  return Object.fromEntries(Object.entries(found).filter(([, list]) => list.length > 0));
}

/** The parts of a limit that name its counter: with another one, what members have used does not count any more. */
const NAMING = ['limitId', 'period', 'counts', 'of'] as const;

type Naming = { readonly [Part in (typeof NAMING)[number]]?: string | undefined };

interface Named {
  readonly benefitId: string;
  readonly limit?: Naming | readonly Naming[];
}

/**
 * The limits that begin anew when one configuration takes the place of another, a sentence each. A benefit that is new, or
 * that had no limit before, has nothing to begin anew; nor has an additional limit.
 */
export function findRestartedLimits(before: Programmes, after: Programmes): string[] {
  const known = new Map(benefitsOf(before).map(({ name, benefit }) => [name, countersOf(benefit)]));
  const restarted = benefitsOf(after).flatMap(({ name, benefit }) => {
    const [had, has] = [known.get(name) ?? [], countersOf(benefit)];
    const gone = had.filter((earlier) => !has.some((limit) => isDeepStrictEqual(limit, earlier)));
    const come = has.filter((limit) => !had.some((earlier) => isDeepStrictEqual(limit, earlier)));
    return come.slice(0, gone.length).map((limit, at) => {
      const earlier = gone[at]!;
      const changes = NAMING.filter((part) => earlier[part] !== limit[part]).map(
        (part) => `${part} was ${earlier[part] ?? 'absent'} and is ${limit[part] ?? 'absent'}`,
      );
      return `the limit of ${name} begins again: ${changes.join(', ')}`;
    });
  });
  return [...findRenamed(before, after), ...restarted];
}

/** What names the counters of a benefit. A limit without `of` counts for each member. */
function countersOf({ limit }: Named): Naming[] {
  return entriesOf(limit).map(({ limitId, period, counts, of }) => {
    return { limitId, period, counts, of: of === 'member' ? undefined : of };
  });
}

/** Benefits that have another name and are otherwise the same. A counter has the name of its limitId, or of its benefit. */
function findRenamed(before: Programmes, after: Programmes): string[] {
  const [gone, come] = [missingFrom(before, after), missingFrom(after, before)];
  return come.flatMap(({ programmeId, benefit }) => {
    const limits = entriesOf(benefit.limit);
    const earlier = gone.find((other) => other.programmeId === programmeId && isSame(other.benefit, benefit));
    if (!earlier || limits.every(({ limitId }) => limitId !== undefined)) return [];
    const was = earlier.benefit.benefitId;
    const keep = `keep benefitId: ${was} and change its text to continue counting`;
    return [
      `${programmeId} ${was} is now ${benefit.benefitId}, and its limit begins again: the uses of members are forgotten; ${keep}`,
    ];
  });
}

/** The benefits of some programmes that are in none of the others under the same name. */
function missingFrom(programmes: Programmes, others: Programmes) {
  const known = new Set(benefitsOf(others).map(({ name }) => name));
  return benefitsOf(programmes).filter(({ name }) => !known.has(name));
}

function benefitsOf(programmes: Programmes) {
  return programmes.flatMap(({ programmeId, benefits = [] }) =>
    (benefits as readonly Named[]).map((benefit) => {
      return { programmeId, benefit, name: `${programmeId} ${benefit.benefitId}` };
    }),
  );
}

/** A renamed benefit may have a new text, too. */
function isSame(one: Named, other: Named): boolean {
  const rest = ({ benefitId: _id, text: _text, ...others }: Named & { text?: unknown }) => others;
  return isDeepStrictEqual(rest(one), rest(other));
}
