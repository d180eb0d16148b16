import { createHash, type Hash } from 'node:crypto';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { knownTiers } from '../../../../src/programme/known-tiers.ts';
import { grantableBenefits, isOfEndedBenefit } from '../../../../src/programme/member-check.ts';
import { Pace } from '../../../simulator/src/pace.ts';
import { ChangeTally } from '../members/changes.ts';
import { type Checkpoint, CheckpointFile } from '../members/checkpoint.ts';
import { readCsvRows } from '../members/csv-rows.ts';
import { type ImportOptions, importMembers, NOTHING_DONE } from '../members/import.ts';
import { completeOptions, type LastingOptions, resumeOptions } from '../members/import-options.ts';
import { readNdjsonRows } from '../members/ndjson-rows.ts';
import { RowNotes } from '../members/notes.ts';
import { patiently } from '../members/patience.ts';
import { RejectsFile } from '../members/rejects.ts';
import { renderChanges, renderRejects, renderSummary } from '../members/report.ts';
import { createRehearsal, createWriter } from '../members/writer.ts';
import { Progress } from '../terminal/progress.ts';
import { assertLastingFile, assertNotInput } from './input-file.ts';
import { checkProgramme, listChange, openStore, readEnvironment } from './open-store.ts';

const CHUNK_BYTES = 256 * 1024;
const CHECKPOINT_MS = 250;
/** Batches a second at a limited rate, of one row at least: fewer would be bursts. */
const BATCHES_A_SECOND = 10;
const STDIN = '-';
/** A list without rows is what a failed export leaves. */
const NO_ROWS = { ndjson: 'is empty', csv: 'has a header and no row' } as const;
const KEEP_ENDED =
  'Some have grants of unknown benefits. If their campaigns have ended, --keep-ended keeps these grants.\n';

/** The arguments as the command line passes them. */
export interface ImportArguments extends Partial<LastingOptions> {
  readonly dryRun?: boolean;
  readonly resume?: boolean;
}

/** `members import`: reads, checks and writes members. Resolves with the exit code. */
export async function importMembersFrom(file: string, given: ImportArguments): Promise<number> {
  const { dryRun: isDryRun = false, resume: isResuming = false, ...named } = given;
  if (file !== STDIN) assertLastingFile(file);
  if (file === STDIN && isResuming) throw new Error('--resume: what came over standard input cannot be read again');
  if (isDryRun && isResuming) throw new Error('--dry-run checks every row of the file, so leave out --resume');
  const state = file === STDIN || isDryRun ? undefined : new CheckpointFile(file);
  const earlier = isResuming ? state?.read() : undefined;
  const options = earlier?.options ? resumeOptions(earlier.options, named) : completeOptions(file, named);
  if (file !== STDIN) assertNotInput('--rejects', options.rejects, [file]);
  const { format, programme: programmeId, replace: isReplacing = false, rate } = options;
  const { environment, settings } = readEnvironment();
  checkProgramme(environment, programmeId);
  const start = earlier?.checkpoint ?? NOTHING_DONE;
  // What can fail comes before the store is open: a connection left open keeps the process alive.
  const rejects = new RejectsFile(options.rejects, start.rejectsBytes);
  const totalBytes = file === STDIN ? undefined : statSync(file).size;
  const opened = await openStore(undefined, isDryRun).catch((error: Error) => error);
  if (opened instanceof Error && !isDryRun) throw opened;
  const store = opened instanceof Error ? undefined : opened.store;
  const grantable = grantableBenefits(environment.programmes);
  const changes = new ChangeTally(grantable, start.counts.changes);
  const notes = new RowNotes(knownTiers(environment));
  const { findMember: findFileMember } = environment;
  const writing = { grantable, findFileMember, isReplacing, keepsEnded: options.keepEnded ?? false };
  const write = store && !isDryRun ? createWriter(store, writing) : createRehearsal(store, writing);
  const hash = createHash('sha256');
  const progress = new Progress('members');
  const keep = keepCheckpoints(state, options);
  const pace = new Pace();
  const startMs = performance.now();
  let mayHaveEnded = false;
  try {
    const counts = await importMembers(openRows(file, format, start, hash), {
      start,
      programmeId,
      isReplacing,
      ...(rate !== undefined && { rowsAtOnce: Math.ceil(rate / BATCHES_A_SECOND) }),
      changes,
      notes,
      write: async (patches) => {
        if (rate !== undefined) await sleep(pace.take(patches.length, rate));
        const written = await patiently(() => write(patches));
        mayHaveEnded ||= written.some((each) => 'fault' in each && isOfEndedBenefit(each.fault));
        return written;
      },
      rejects,
      onCheckpoint: (checkpoint) => {
        keep(checkpoint);
        const { position, counts: so } = checkpoint;
        progress.show(so.read - start.counts.read, totalBytes && position.offset / totalBytes);
      },
    } satisfies ImportOptions);
    if (counts.read === 0) throw new Error(`${file} ${NO_ROWS[format]}; one line per member is required`);
    if (state) {
      state.remove();
      rejects.removeEarlier();
    }
    if (store && !isDryRun) {
      const digest = file === STDIN ? hash.digest('hex') : await hashOf(file);
      const { changes: changed, ...others } = counts;
      const source = { file: basename(file), sha256: digest, isReplacing };
      await listChange(store, 'import members', { ...source, ...others, ...changed });
    }
    progress.finish(counts.read - start.counts.read);
    const seconds = (performance.now() - startMs) / 1000;
    const target = isDryRun ? 'checked only, nothing was written' : `written to ${environment.name}`;
    process.stdout.write(
      `${target} (${settings.environmentFile})\n\n${renderSummary(counts, start.counts, { seconds, isDryRun })}`,
    );
    process.stdout.write(
      store ? renderChanges(changes) : '\nRedis cannot be reached, so that nobody knows what would change.\n',
    );
    process.stdout.write(notes.render() + renderRejects(counts.rejected, rejects.first));
    if (counts.rejected > 0) process.stdout.write(`\nEach rejected row is a line of ${rejects.path}.\n`);
    if (mayHaveEnded) process.stdout.write(KEEP_ENDED);
    return counts.rejected > 0 && !options.allowRejects ? 1 : 0;
  } catch (error) {
    if (!state || !existsSync(state.path)) throw error;
    throw new Error(`${(error as Error).message}\nThe rows that were written stay. --resume continues from there.`);
  } finally {
    store?.connection.close();
    rejects.flush();
  }
}

/** Opens the rows after an earlier run's position. CSV is read from the start, because of its header. */
function openRows(file: string, format: 'ndjson' | 'csv', { position }: Checkpoint, hash: Hash) {
  const start = format === 'csv' ? 0 : position.offset;
  const chunks =
    file === STDIN
      ? hashed(process.stdin, hash)
      : createReadStream(file, { start, highWaterMark: CHUNK_BYTES, autoClose: true });
  return format === 'csv' ? readCsvRows(chunks, position) : readNdjsonRows(chunks, position);
}

/** Passes chunks on and hashes them: standard input cannot be read a second time. */
async function* hashed(chunks: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Writes a checkpoint a few times a second. Rows repeated after a kill change nothing and take little time. */
function keepCheckpoints(state: CheckpointFile | undefined, options: LastingOptions): (checkpoint: Checkpoint) => void {
  let keptMs = Number.NEGATIVE_INFINITY;
  return (checkpoint) => {
    if (!state || performance.now() - keptMs < CHECKPOINT_MS) return;
    state.write(checkpoint, options);
    keptMs = performance.now();
  };
}
