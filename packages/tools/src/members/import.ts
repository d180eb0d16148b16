import type { Fault } from '../../../../src/programme/configuration-error.ts';
import { type ChangeTally, NO_CHANGES } from './changes.ts';
import type { Checkpoint, ImportCounts } from './checkpoint.ts';
import type { RowNotes } from './notes.ts';
import { checkPatchShape, type MemberPatch } from './patch.ts';
import { type RejectsFile, toReject } from './rejects.ts';
import type { MemberRow, Position } from './rows.ts';
import type { MemberWriter, Written } from './writer.ts';

/** The most rows per batch: enough to make the round trip cheap, and few enough that a till's call waits a few ms. */
const BATCH = 512;

export interface ImportOptions {
  /** The checkpoint of an earlier run. */
  readonly start: Checkpoint;
  /** The programme of rows without one; a row with another programme is rejected. */
  readonly programmeId: string | undefined;
  /** True where a row takes the place of all that is stored of its member. */
  readonly isReplacing: boolean;
  /** Fewer rows per batch than usual, where a slow import must not write them in bursts. */
  readonly rowsAtOnce?: number;
  readonly write: MemberWriter;
  readonly changes: ChangeTally;
  readonly notes: RowNotes;
  readonly rejects: RejectsFile;
  /** Called after every batch. */
  readonly onCheckpoint: (checkpoint: Checkpoint) => void;
}

export const NOTHING_DONE: Checkpoint = {
  position: { line: 0, offset: 0 },
  counts: { read: 0, written: 0, unchanged: 0, rejected: 0, changes: NO_CHANGES },
  rejectsBytes: 0,
};

/**
 * Checks and writes members, one batch after the other, so that of two rows of one member the later one counts. Memory
 * is bounded by a batch, because reading waits for Redis. Writing a row again changes nothing, so a killed run may be
 * repeated from any earlier checkpoint. Throws the errors of `write`.
 */
export async function importMembers(input: AsyncIterable<MemberRow[]>, options: ImportOptions): Promise<ImportCounts> {
  const { write, rejects, onCheckpoint, changes, notes } = options;
  const batch = Math.min(BATCH, options.rowsAtOnce ?? BATCH);
  const counts = { ...options.start.counts };
  let rows: { readonly row: MemberRow; readonly judged: Judged }[] = [];
  let position: Position = options.start.position;
  const finishBatch = async (): Promise<void> => {
    const patches = rows.flatMap(({ judged }) => (judged.fault ? [] : [judged.patch]));
    const written = (patches.length === 0 ? [] : await write(patches)).values();
    for (const { row, judged } of rows) {
      const outcome: Written = judged.fault ? { fault: judged.fault } : (written.next().value as Written);
      if ('fault' in outcome) {
        counts.rejected += 1;
        rejects.add(toReject(row, outcome.fault));
      } else {
        counts.written += 1;
        if (!judged.fault) notes.take(row.line, outcome.known ? outcome.before : undefined, judged.patch);
        if (outcome.known && !changes.note(outcome.before, outcome.after)) counts.unchanged += 1;
      }
    }
    rows = [];
    counts.changes = changes.counts;
    rejects.flush();
    onCheckpoint({ position, counts: { ...counts }, rejectsBytes: rejects.bytes });
  };
  for await (const some of input) {
    for (const row of some) {
      counts.read += 1;
      rows.push({ row, judged: judge(row, options) });
      position = { line: row.lastLine, offset: row.endOffset };
      if (rows.length === batch) await finishBatch();
    }
  }
  if (rows.length > 0) await finishBatch();
  return counts;
}

type Judged = { readonly patch: MemberPatch; readonly fault?: undefined } | { readonly fault: Fault };

function judge(row: MemberRow, { programmeId, isReplacing }: ImportOptions): Judged {
  if (row.fault) return { fault: row.fault };
  const value = programmeId === undefined ? row.value : withProgramme(row.value, programmeId);
  const fault = checkPatchShape(value, isReplacing);
  if (fault) return { fault };
  const patch = value as MemberPatch;
  if (programmeId !== undefined && patch.programmeId !== programmeId) {
    return { fault: { path: 'programmeId', found: JSON.stringify(patch.programmeId), allowed: programmeId } };
  }
  return { patch };
}

function withProgramme(value: unknown, programmeId: string): unknown {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && !('programmeId' in value) ? { ...value, programmeId } : value;
}
