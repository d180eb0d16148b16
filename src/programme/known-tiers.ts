import type { Environment } from './environment.ts';

/** The tiers that benefits or members of the configuration name, by programme. */
export function knownTiers({ programmes, members }: Environment): Map<string, ReadonlySet<string>> {
  return new Map(
    programmes.map(({ programmeId, benefits }) => {
      const named = benefits.flatMap(({ openings }) =>
        openings.flatMap(({ conditions }) => [...(conditions.tiers ?? [])]),
      );
      const held = members.filter((member) => member.programmeId === programmeId).flatMap(({ tier }) => tier ?? []);
      return [programmeId, new Set([...named, ...held])];
    }),
  );
}
