import { isDeepStrictEqual } from 'node:util';
import { limitsOf } from '@loyalty/engine/compile/amounts';
import type { EnvironmentFile } from './schema.ts';

/** The parts of a limit that name its counter: with another one, what members have used does not count any more. */
const NAMING = ['limitId', 'period', 'counts', 'of'] as const;

type Programmes = EnvironmentFile['programmes'];
type Naming = { readonly [Part in (typeof NAMING)[number]]?: string | undefined };
type Limits = ReadonlyMap<string, readonly Naming[]>;

/**
 * The limits that begin anew when one configuration takes the place of another, a sentence each. A benefit that is new, or
 * that had no limit before, has nothing to begin anew; nor has an additional limit.
 */
export function findRestartedLimits(before: Programmes, after: Programmes): string[] {
  const known = namedLimits(before);
  return [
    ...findRenamed(before, after),
    ...[...namedLimits(after)].flatMap(([name, limits]) => {
      const gone = (known.get(name) ?? []).filter((earlier) => !limits.some((limit) => isCountedBy(limit, earlier)));
      const come = limits.filter((limit) => !known.get(name)?.some((earlier) => isCountedBy(limit, earlier)));
      return come.flatMap((limit, at) => {
        const earlier = gone[at];
        if (!earlier) return [];
        const changes = NAMING.filter((part) => earlier[part] !== limit[part]).map(
          (part) => `${part} was ${earlier[part] ?? 'absent'} and is ${limit[part] ?? 'absent'}`,
        );
        return [`the limit of ${name} begins again: ${changes.join(', ')}`];
      });
    }),
  ];
}

function isCountedBy(one: Naming, other: Naming): boolean {
  return NAMING.every((part) => one[part] === other[part]);
}

function namedLimits(programmes: Programmes): Limits {
  const limits = new Map<string, readonly Naming[]>();
  for (const { name, benefit } of benefitsOf(programmes)) {
    // A limit without `of` counts for each member.
    const named = limitsOf<Naming>(benefit).map(({ of, ...rest }) => (of === 'member' ? rest : { ...rest, of }));
    limits.set(name, named);
  }
  return limits;
}

/** Benefits that have another name and are otherwise the same. A counter has the name of its limitId, or of its benefit. */
function findRenamed(before: Programmes, after: Programmes): string[] {
  const [gone, come] = [missingFrom(before, after), missingFrom(after, before)];
  return come.flatMap(({ programmeId, benefit }) => {
    const limits = limitsOf<Naming>(benefit);
    const earlier = gone.find((other) => other.programmeId === programmeId && isSame(other.benefit, benefit));
    if (!earlier || limits.every(({ limitId }) => limitId !== undefined)) return [];
    const was = earlier.benefit.benefitId;
    const keep = `keep benefitId: ${was} and change its text to continue counting`;
    return [
      `${programmeId} ${was} is now ${benefit.benefitId}, and its limit begins again: the uses of members are forgotten; ${keep}`,
    ];
  });
}

interface Named {
  readonly benefitId: string;
  readonly limit?: Naming | readonly Naming[];
}

/** The benefits of some programmes that are in none of the others under the same name. */
export function missingFrom(programmes: Programmes, others: Programmes) {
  const known = new Set(benefitsOf(others).map(({ name }) => name));
  return benefitsOf(programmes).filter(({ name }) => !known.has(name));
}

function benefitsOf(programmes: Programmes) {
  return programmes.flatMap(({ programmeId, benefits = [] }) =>
    (benefits as readonly Named[]).map((benefit) => ({
      ...{ programmeId, benefit, name: `${programmeId} ${benefit.benefitId}` },
    })),
  );
}

/** A renamed benefit may have a new text, too. */
function isSame(one: Named, other: Named): boolean {
  const rest = ({ benefitId: _id, text: _text, ...others }: Named & { text?: unknown }) => others;
  return isDeepStrictEqual(rest(one), rest(other));
}
