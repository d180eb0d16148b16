import type { EnvironmentFile } from './schema.ts';

/** The parts of a limit that name its counter: with another one, what members have used does not count any more. */
const NAMING = ['limitId', 'period', 'counts'] as const;

type Programmes = EnvironmentFile['programmes'];
type Limits = ReadonlyMap<string, Partial<Record<(typeof NAMING)[number], string>>>;

/**
 * The limits that begin anew when one configuration takes the place of another, a sentence each. A benefit that is new, or
 * that had no limit before, has nothing to begin anew.
 */
export function findRestartedLimits(before: Programmes, after: Programmes): string[] {
  const known = limitsOf(before);
  return [...limitsOf(after)].flatMap(([name, limit]) => {
    const earlier = known.get(name);
    if (!earlier) return [];
    const changes = NAMING.filter((part) => earlier[part] !== limit[part]).map(
      (part) => `${part} was ${earlier[part] ?? 'absent'} and is ${limit[part] ?? 'absent'}`,
    );
    return changes.length === 0 ? [] : [`the limit of ${name} begins anew: ${changes.join(', ')}`];
  });
}

function limitsOf(programmes: Programmes): Limits {
  const limits = new Map<string, Partial<Record<(typeof NAMING)[number], string>>>();
  for (const { programmeId, benefits } of programmes) {
    for (const { benefitId, limit } of (benefits ?? []) as { benefitId: string; limit?: object }[]) {
      if (limit) limits.set(`${programmeId} ${benefitId}`, limit);
    }
  }
  return limits;
}
