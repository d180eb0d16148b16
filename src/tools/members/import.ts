import type { Fault } from '../../programme/configuration-error.ts';
import type { MemberEntry } from '../../programme/schema.ts';
import type { StoredMember } from '../../store/members.ts';
import type { Checkpoint, ImportCounts } from './checkpoint.ts';
import { type RejectsFile, toReject } from './rejects.ts';
import type { MemberRow, Position } from './rows.ts';

/**
 * Rows per batch: enough to make the round trip cheap, and few enough that Redis delays a till's call by a few
 * milliseconds only.
 */
const BATCH = 512;

export interface ImportOptions {
  /** The checkpoint of an earlier run. */
  readonly start: Checkpoint;
  /** The programme of rows without one; a row with another programme is rejected. */
  readonly programmeId: string | undefined;
  readonly check: (value: unknown) => Fault | undefined;
  /** Writes members in order, and returns how many of them changed. */
  readonly write: (members: readonly StoredMember[]) => Promise<number>;
  readonly rejects: RejectsFile;
  /** Called after every batch. */
  readonly onCheckpoint: (checkpoint: Checkpoint) => void;
}

export const NOTHING_DONE: Checkpoint = {
  position: { line: 0, offset: 0 },
  counts: { read: 0, written: 0, unchanged: 0, rejected: 0 },
  rejectsBytes: 0,
};

/**
 * Checks and writes members, one batch after the other, so that of two rows of one member the later one counts. Memory
 * is bounded by a batch, because reading waits for Redis. Writing a row again changes nothing, so a killed run may be
 * repeated from any earlier checkpoint. Throws the errors of `write`.
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
      position = { line: row.lastLine, offset: row.endOffset };
      if (judged.fault) {
        counts.rejected += 1;
        rejects.add(toReject(row, judged.fault));
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
