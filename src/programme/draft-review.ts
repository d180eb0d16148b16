import { findRestartedLimits } from './changes.ts';
import { combineFiles } from './combined-file.ts';
import { type Fault, show } from './configuration-error.ts';
import { findDifferences } from './differences/differences.ts';
import type { Difference } from './differences/fields.ts';
import { type Inspection, inspectEnvironment } from './inspect.ts';
import { hasNote, withNote } from './note.ts';
import type { EnvironmentSource, SourceFile } from './source.ts';

/** A draft to be checked and compared. `today` (2026-11-21) decides which campaigns have ended. */
export interface ReviewTask {
  readonly source: EnvironmentSource;
  readonly inForce: EnvironmentSource;
  readonly today: string;
  /** A note to be written into the draft, where it has no errors: into the file that has one, or else into `file`. */
  readonly note?: { readonly text: string; readonly file: string };
}

/** What there is to say of a draft before it is put in force. Plain data. */
export interface DraftReview extends Inspection {
  readonly kind: 'reviewed';
  /** From the configuration in force to the draft, in the words of an operator; empty while a file of the draft cannot be read. */
  readonly differences: readonly Difference[];
  /** Limits that would begin anew, a sentence each. */
  readonly restartedLimits: readonly string[];
  /** The files of the draft with the note. */
  readonly noted?: readonly SourceFile[];
}

/** A configuration as it was written, which may have errors. */
type Written = { readonly environment?: unknown; readonly programmes?: Parameters<typeof findRestartedLimits>[0] };

/** Inspects a draft, and compares it with what is in force. */
export function reviewDraft({ source, inForce, today, note }: ReviewTask): DraftReview {
  const inspected = { kind: 'reviewed', ...inspectEnvironment(source, today) } as const;
  const { value, isWhole, locate } = combineFiles(source);
  if (!isWhole) return { ...inspected, differences: [], restartedLimits: [] };
  const [before, after] = [combineFiles(inForce).value, value] as [Written, Written];
  const isNamed = !inspected.faults.some(({ path }) => path === 'environment');
  const otherName = isNamed ? findOtherName(before, after) : [];
  const inspection = { ...inspected, faults: [...otherName.map(locate), ...inspected.faults] };
  const differences = findDifferences(before, after);
  // Between entries with errors nothing can be said of limits.
  const isSound = inspection.faults.length === 0;
  const restartedLimits = isSound ? findRestartedLimits(before.programmes ?? [], after.programmes ?? []) : [];
  const noted = isSound && note ? { noted: noteIn(source.files, note) } : {};
  return { ...inspection, differences, restartedLimits, ...noted };
}

/** The environment's name is part of every key in Redis, so a running service refuses another one. */
function findOtherName(before: Written, after: Written): Fault[] {
  if (before.environment === undefined || after.environment === before.environment) return [];
  const allowed = `${show(before.environment)} while the service runs`;
  return [{ path: 'environment', found: show(after.environment), allowed }];
}

/** Of several files one has the note. */
function noteIn(files: readonly SourceFile[], { text: note, file }: NonNullable<ReviewTask['note']>): SourceFile[] {
  const place = files.find(({ text }) => hasNote(text))?.name ?? file;
  return files.map((each) => (each.name === place ? { ...each, text: withNote(each.text, note) } : each));
}
