import { combineFiles } from './combined-file.ts';
import { type Difference, findDifferences } from './differences/differences.ts';
import { type Inspection, inspectEnvironment } from './inspect.ts';
import { findRestartedLimits } from './restarted-limits.ts';
import type { EnvironmentSource } from './source.ts';

/** A draft to be checked and compared. `today` (2026-11-21) decides which campaigns have ended. */
export interface ReviewTask {
  readonly source: EnvironmentSource;
  readonly inForce: EnvironmentSource;
  readonly today: string;
}

/** What there is to say of a draft before it is put in force. Plain data. */
export interface DraftReview extends Inspection {
  readonly kind: 'reviewed';
  /** From the configuration in force to the draft, in the words of an operator; empty while a file of the draft cannot be read. */
  readonly differences: readonly Difference[];
  /** Limits that would begin anew, a sentence each. */
  readonly restartedLimits: readonly string[];
}

type Programmes = Parameters<typeof findRestartedLimits>[0];

/** Inspects a draft, and compares it with what is in force. */
export function reviewDraft({ source, inForce, today }: ReviewTask): DraftReview {
  const inspection = { kind: 'reviewed', ...inspectEnvironment(source, today) } as const;
  const [before, after] = [combineFiles(inForce).value ?? {}, combineFiles(source).value];
  if (typeof after !== 'object' || after === null) return { ...inspection, differences: [], restartedLimits: [] };
  const differences = findDifferences(before, after);
  // Between entries with errors nothing can be said of limits.
  const isSound = inspection.faults.length === 0;
  const restartedLimits = isSound ? findRestartedLimits(programmesOf(before), programmesOf(after)) : [];
  return { ...inspection, differences, restartedLimits };
}

function programmesOf(value: object): Programmes {
  return (value as { programmes?: Programmes }).programmes ?? [];
}
