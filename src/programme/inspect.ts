import type { LocatedFault, Place } from './configuration-error.ts';
import { judge } from './judge.ts';
import type { EnvironmentSource } from './source.ts';
import type { KnownMember } from './warnings/advice.ts';
import { findWarnings } from './warnings/warnings.ts';
import type { LocatedWarning } from './yaml-file.ts';

/** Everything that is wrong with an environment, or probably not meant, in the order of its files. Plain data. */
export interface Inspection {
  readonly faults: readonly LocatedFault[];
  /** Of the entries without faults. */
  readonly warnings: readonly LocatedWarning[];
}

/**
 * Inspects an environment. `today` (2026-11-21) decides which campaigns have ended; `members` are those known beside the
 * files, such as an export.
 */
export function inspectEnvironment(
  source: EnvironmentSource,
  today: string,
  members: readonly KnownMember[] = [],
): Inspection {
  const { faults, soundPart, combined } = judge(source);
  const found = soundPart ? [...findWarnings(soundPart, members, today)] : [];
  const warnings = [
    ...combined.findWritingWarnings(),
    ...found.map(({ path, text }) => ({ ...combined.placeOf(path), text })),
  ];
  return { faults: faults.toSorted(byPlace), warnings: warnings.toSorted(byPlace) };
}

function byPlace(one: Place, other: Place): number {
  if (one.file !== other.file) return one.file < other.file ? -1 : 1;
  return (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0);
}
