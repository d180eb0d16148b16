import { createHash, type Hash } from 'node:crypto';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../../../../src/programme/configuration-error.ts';
import { grantableBenefits, isOfEndedBenefit } from '../../../../src/programme/member-check.ts';
import { Pace } from '../../../simulator/src/pace.ts';
import { CheckpointFile, completeOptions, type LastingOptions, resumeOptions } from '../members/checkpoint.ts';
import { readCsvRows } from '../members/csv-rows.ts';
import { ImportTally, NOTHING_DONE } from '../members/import-tally.ts';
import { checkPatchShape, type MemberPatch, type PatchRules } from '../members/patch.ts';
import { type Reject, RejectsFile, toReject } from '../members/rejects.ts';
import { type MemberRow, readNdjsonRows } from '../members/rows.ts';
import { rehearseMembers, type Written, writeMembers } from '../members/writer.ts';
import { inBatches } from '../ndjson/read-lines.ts';
import { Progress } from '../terminal/progress.ts';
import { assertLastingFile, assertNotInput, assertOutputFile } from './input-file.ts';
import { checkProgramme, listChange, openStore, patiently, readEnvironment } from './open-store.ts';

const CHUNK_BYTES = 256 * 1024;
/** The most rows per batch: enough to make the round trip cheap, and few enough that a till's call waits a few ms. */
const BATCH = 512;
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

/**
 * `members import`: reads, checks and writes members, one batch after the other, so that of two rows of one member the later
 * one counts. Memory is bounded by a batch, because reading waits for Redis. Writing a row again changes nothing, so a killed
 * run may be repeated from any earlier checkpoint. Resolves with the exit code.
 */
export async function importMembersFrom(file: string, given: ImportArguments): Promise<number> {
  const { state, earlier, options, isDryRun } = readOptions(file, given);
  const { format, rate } = options;
  const { environment, settings } = readEnvironment();
  checkProgramme(environment, options.programme);
  // What can fail comes before the store is open: a connection left open keeps the process alive.
  const rejects = new RejectsFile(options.rejects, earlier?.rejectsBytes ?? 0);
  const totalBytes = file === STDIN ? undefined : statSync(file).size;
  const opened = await openStore(undefined, isDryRun).catch((error: Error) => error);
  if (opened instanceof Error && !isDryRun) throw opened;
  const store = opened instanceof Error ? undefined : opened.store;
  const rules: PatchRules = {
    grantable: grantableBenefits(environment.programmes),
    findFileMember: environment.findMember,
    isReplacing: options.replace ?? false,
    keepsEnded: options.keepEnded ?? false,
  };
  const tally = new ImportTally(environment, rules.grantable, earlier?.counts ?? NOTHING_DONE);
  const readBefore = tally.counts.read;
  const hash = createHash('sha256');
  const progress = new Progress('members');
  const pace = new Pace();
  const startMs = performance.now();
  let mayHaveEnded = false;

  const write = async (patches: readonly MemberPatch[]): Promise<Written[]> => {
    if (patches.length === 0) return [];
    if (rate !== undefined) await sleep(pace.take(patches.length, rate));
    return patiently(() =>
      store && !isDryRun ? writeMembers(store, patches, rules) : rehearseMembers(store, patches, rules),
    );
  };
  /** Writes the rows of a batch that can be written, and resolves with the others, each with its fault. */
  const importBatch = async (rows: readonly MemberRow[]): Promise<Reject[]> => {
    const judged = rows.map((row) => judge(row, options.programme, rules.isReplacing));
    const written = await write(judged.flatMap(({ patch }) => patch ?? []));
    const outcomes = written.values();
    return rows.flatMap((row, at) => {
      const { patch, fault } = judged[at]!;
      const outcome = fault ? { fault } : outcomes.next().value!;
      if (outcome.fault) {
        mayHaveEnded ||= isOfEndedBenefit(outcome.fault);
        return toReject(row, outcome.fault);
      }
      tally.write(row.line, patch!, store && outcome);
      return [];
    });
  };

  try {
    const size = rate === undefined ? BATCH : Math.min(BATCH, Math.ceil(rate / BATCHES_A_SECOND));
    for await (const rows of inBatches(openRows(file, format, earlier?.offset ?? 0, hash), size)) {
      const rejected = await importBatch(rows);
      for (const reject of rejected) tally.reject(reject);
      rejects.write(rejected);
      const offset = rows.at(-1)!.endOffset;
      state?.write({ offset, counts: tally.counts, rejectsBytes: rejects.bytes }, options);
      progress.show(tally.counts.read - readBefore, totalBytes && offset / totalBytes);
    }
    const { changes, ...counts } = tally.counts;
    if (counts.read === 0) throw new Error(`${file} ${NO_ROWS[format]}; one line per member is required`);
    if (state) {
      state.remove();
      rejects.removeEarlier();
    }
    if (store && !isDryRun) {
      const source = { file: basename(file), sha256: hash.digest('hex'), isReplacing: rules.isReplacing };
      await listChange(store, 'import members', { ...source, ...counts, ...changes });
    }
    progress.finish(counts.read - readBefore);
    const seconds = (performance.now() - startMs) / 1000;
    const target = isDryRun ? 'checked only, nothing was written' : `written to ${environment.name}`;
    const report = tally.render({ seconds, isDryRun, hasStore: store !== undefined });
    process.stdout.write(`${target} (${settings.environmentFile})\n\n${report}`);
    if (counts.rejected > 0) process.stdout.write(`\nEach rejected row is a line of ${rejects.path}.\n`);
    if (mayHaveEnded) process.stdout.write(KEEP_ENDED);
    return counts.rejected > 0 && !options.allowRejects ? 1 : 0;
  } catch (error) {
    if (!state || !existsSync(state.path)) throw error;
    throw new Error(`${(error as Error).message}\nThe rows that were written stay. --resume continues from there.`);
  } finally {
    store?.connection.close();
  }
}

/** The options of this import, and what an interrupted one has left. Throws where they cannot be used together. */
function readOptions(file: string, { dryRun: isDryRun = false, resume = false, ...named }: ImportArguments) {
  if (file !== STDIN) assertLastingFile(file);
  if (file === STDIN && resume) throw new Error('--resume: what came over standard input cannot be read again');
  if (isDryRun && resume) throw new Error('--dry-run checks every row of the file, so leave out --resume');
  const state = file === STDIN || isDryRun ? undefined : new CheckpointFile(file);
  const earlier = resume ? state?.read() : undefined;
  const options = earlier ? resumeOptions(earlier.options, named) : completeOptions(file, named);
  if (named.rejects !== undefined) assertOutputFile('--rejects', named.rejects);
  if (file !== STDIN) assertNotInput('--rejects', options.rejects, [file]);
  return { state, earlier, options, isDryRun };
}

type Judged =
  | { readonly patch: MemberPatch; readonly fault?: undefined }
  | { readonly patch?: undefined; readonly fault: Fault };

/** Checks a row by itself. Rows without a programme are of the named one; a row of another programme is rejected. */
function judge(
  { value: said, fault: unreadable }: MemberRow,
  programmeId: string | undefined,
  isReplacing: boolean,
): Judged {
  if (unreadable) return { fault: unreadable };
  const isObject = typeof said === 'object' && said !== null && !Array.isArray(said);
  const value = isObject && programmeId !== undefined ? { programmeId, ...said } : said;
  const fault = checkPatchShape(value, isReplacing);
  if (fault) return { fault };
  const patch = value as MemberPatch;
  if (programmeId === undefined || patch.programmeId === programmeId) return { patch };
  return { fault: { path: 'programmeId', found: JSON.stringify(patch.programmeId), allowed: programmeId } };
}

/** Opens the rows after those that an earlier run has done. The whole file is read, so that it is hashed on the way. */
function openRows(file: string, format: 'ndjson' | 'csv', done: number, hash: Hash): AsyncGenerator<MemberRow[]> {
  const input = file === STDIN ? process.stdin : createReadStream(file, { highWaterMark: CHUNK_BYTES });
  input.on('data', (chunk: Buffer) => hash.update(chunk));
  return format === 'csv' ? readCsvRows(input, done) : readNdjsonRows(input, done);
}
