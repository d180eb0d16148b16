import type { Fault } from '../../programme/configuration-error.ts';
import type { MemberEntry } from '../../programme/schema.ts';
import type { StoredMember } from '../../store/members.ts';
import type { Checkpoint, ImportCounts } from './checkpoint.ts';
import { type RejectsFile, toReject } from './rejects.ts';
import type { MemberRow, Position } from './rows.ts';

/**
 * Rows dealt with at once. Enough that the round trip costs nothing, and few enough that what Redis has to do before it
 * serves a till's call stays at a few milliseconds.
 */
const BATCH = 512;

export interface ImportOptions {
  /** Where an earlier run has come to. */
  readonly start: Checkpoint;
  /** The programme of rows that name none; a row that names another one is rejected. */
  readonly programmeId: string | undefined;
  readonly check: (value: unknown) => Fault | undefined;
  /** Writes members, in order, and returns how many of them that changed. */
  readonly write: (members: readonly StoredMember[]) => Promise<number>;
  readonly rejects: RejectsFile;
  /** Told after every batch. */
  readonly onCheckpoint: (checkpoint: Checkpoint) => void;
}

export const NOTHING_DONE: Checkpoint = {
  position: { line: 0, offset: 0 },
  counts: { read: 0, written: 0, unchanged: 0, rejected: 0 },
  rejectsBytes: 0,
};

/**
 * Checks and writes members, one batch after the other, so that of two rows of one member the later one stays. Memory is
 * bounded by a batch: the rows wait for Redis. Writing a row again changes nothing, so a run that was killed may be
 * repeated from any checkpoint before. Throws what `write` throws.
 */
export async function importMembers(input: AsyncIterable<MemberRow[]>, options: ImportOptions): Promise<ImportCounts> {
  const { write, rejects, onCheckpoint } = options;
  const counts = { ...options.start.counts };
  let members: StoredMember[] = [];
  let rows = 0;
  let position: Position = options.start.position;
  const finishBatch = async (): Promise<void> => {
    const changed = members.length === 0 ? 0 : await write(members);
    counts.written += members.length;
    counts.unchanged += members.length - changed;
    [members, rows] = [[], 0];
    rejects.flush();
    onCheckpoint({ position, counts: { ...counts }, rejectsBytes: rejects.bytes });
  };
  for await (const some of input) {
    for (const row of some) {
      counts.read += 1;
      rows += 1;
      const judged = judge(row, options);
      position = { line: row.line, offset: row.endOffset };
      if (judged.fault) {
        counts.rejected += 1;
        rejects.add(toReject(row.line, judged.fault));
      } else members.push(judged.member);
      if (rows === BATCH) await finishBatch();
    }
  }
  await finishBatch();
  return counts;
}

type Judged = { readonly member: StoredMember; readonly fault?: undefined } | { readonly fault: Fault };

function judge(row: MemberRow, { programmeId, check }: ImportOptions): Judged {
  if (row.fault) return { fault: row.fault };
  const value = programmeId === undefined ? row.value : withProgramme(row.value, programmeId);
  const fault = check(value);
  if (fault) return { fault };
  const entry = value as MemberEntry;
  if (programmeId !== undefined && entry.programmeId !== programmeId) {
    return { fault: { path: 'programmeId', found: JSON.stringify(entry.programmeId), allowed: programmeId } };
  }
  return { member: { ...entry, grants: entry.grants ?? [] } as StoredMember };
}

function withProgramme(value: unknown, programmeId: string): unknown {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && !('programmeId' in value) ? { ...value, programmeId } : value;
}
