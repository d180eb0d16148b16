import { createReadStream, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Piscina } from 'piscina';
import { loadEnvironmentFrom } from '../../../../src/programme/load.ts';
import { type EnvironmentSource, readEnvironmentSource } from '../../../../src/programme/source.ts';
import { readSettingsOfService } from '../../../../src/settings.ts';
import { IMPORTED } from '../../../../src/threads/imported.ts';
import { type BacktestWork, type BatchResult, type TextLine, toTextLine } from '../backtest/batch.ts';
import { readEnds } from '../backtest/ends.ts';
import { loadMembers } from '../backtest/members-file.ts';
import { emptyTally, mergeTally } from '../backtest/tally.ts';
import { readLines } from '../ndjson/read-lines.ts';
import { Progress } from '../terminal/progress.ts';
import { renderBenefitDays, renderReport } from './backtest-tables.ts';
import { assertInputFile, assertLastingFile, assertNotInput } from './input-file.ts';

/** `backtest baskets.ndjson --config draft.yaml`: the cost of a draft on recorded baskets. */

const BATCH_BYTES = 256 * 1024;
const MALFORMED_SHOWN = 10;
/** Batches under way per thread: one in work and one waiting, so that no thread idles while the file is read. */
const BATCHES_PER_THREAD = 2;

/** The files of the output folder. */
const OUTPUT = {
  report: 'report.txt',
  days: 'benefits-by-day.csv',
  differences: 'differences.ndjson',
  malformed: 'malformed.ndjson',
} as const;

/** The arguments as the command line passes them. */
export interface BacktestArguments {
  readonly config: string;
  readonly against?: string;
  readonly members?: string;
  readonly out: string;
  readonly threads: number;
}

/**
 * Resolves with 0 when it is done, even if some lines were unreadable, which it lists. Resolves with 1 when no basket
 * could be priced.
 */
export async function backtest(files: readonly string[], values: BacktestArguments): Promise<number> {
  for (const file of files) assertLastingFile(file);
  if (values.members !== undefined) assertInputFile(values.members);
  const inputs = [...files, ...(values.members === undefined ? [] : [values.members])];
  const pathOf = (output: keyof typeof OUTPUT): string => join(values.out, OUTPUT[output]);
  for (const output of Object.keys(OUTPUT) as (keyof typeof OUTPUT)[]) assertNotInput('--out', pathOf(output), inputs);
  const current = readEnvironment(values.against ?? readSettingsOfService().environmentFile);
  const draft = readEnvironment(values.config);
  // Checked here first, so that a fault is reported before any thread starts.
  const programmes = { current: describe(current), draft: describe(draft) };
  const members = values.members === undefined ? new Map() : await loadMembers(values.members);
  const ends = await readEnds(files);
  mkdirSync(values.out, { recursive: true, mode: 0o700 });

  const differences = await open(pathOf('differences'), 'w', 0o600);
  const malformed = await open(pathOf('malformed'), 'w', 0o600);
  const tally = emptyTally();
  const countBaskets = () => tally.counts.priced + [...tally.unpriced.values()].reduce((sum, count) => sum + count, 0);
  const totalBytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  const progress = new Progress('baskets');
  let malformedLines = 0;
  const work = { current, draft, members, ends };
  for await (const { file, doneBytes, ...result } of rehearseFiles(files, work, values.threads)) {
    mergeTally(tally, result.tally);
    await differences.appendFile(result.differences);
    const found = result.malformed.map((each) => ({ file, ...each }));
    await malformed.appendFile(found.map((each) => `${JSON.stringify(each)}\n`).join(''));
    for (const { line, reason } of found.slice(0, Math.max(0, MALFORMED_SHOWN - malformedLines))) {
      process.stderr.write(`${file}:${line}: ${reason}; skipped\n`);
    }
    malformedLines += found.length;
    progress.show(countBaskets(), doneBytes / totalBytes);
  }
  await Promise.all([differences.close(), malformed.close()]);
  progress.finish(countBaskets());

  const text = renderReport({ tally, malformedLines, ...programmes });
  writeFileSync(pathOf('report'), text, { mode: 0o600 });
  writeFileSync(pathOf('days'), renderBenefitDays(tally), { mode: 0o600 });
  process.stdout.write(`${text}\n${values.out}/ has this report, and a line per differing basket.\n`);
  return tally.counts.priced === 0 ? 1 : 0;
}

/**
 * Rehearses batches in threads, and yields the results in the order of the input, so that the same input gives the same
 * report. Memory is bounded by the batches under way.
 */
async function* rehearseFiles(files: readonly string[], work: BacktestWork, threads: number) {
  const pool = new Piscina<readonly TextLine[], BatchResult>({
    ...IMPORTED,
    filename: new URL('../../../../workers/backtest.ts', import.meta.url).href,
    minThreads: threads,
    maxThreads: threads,
    idleTimeout: Number.POSITIVE_INFINITY,
    maxQueue: threads * BATCHES_PER_THREAD,
    concurrentTasksPerWorker: 1,
    workerData: work,
    recordTiming: false,
    workerHistogram: false,
  });
  const underWay: Promise<BatchResult & { readonly file: string; readonly doneBytes: number }>[] = [];
  try {
    for await (const { lines, ...place } of readBatches(files)) {
      const result = pool.run(lines).then((found) => ({ ...found, ...place }));
      // The result is awaited later, in order; until then a failure must not count as unhandled.
      result.catch(() => undefined);
      underWay.push(result);
      if (underWay.length >= threads * BATCHES_PER_THREAD) yield underWay.shift()!;
    }
    for (const result of underWay) yield result;
  } finally {
    await pool.destroy();
  }
}

/** The lines of the files, as many at once as a chunk completes. */
async function* readBatches(files: readonly string[]) {
  let bytesBefore = 0;
  for (const file of files) {
    for await (const lines of readLines(createReadStream(file, { highWaterMark: BATCH_BYTES }))) {
      yield { file, lines: lines.map(toTextLine), doneBytes: bytesBefore + lines.at(-1)!.endOffset };
    }
    bytesBefore += statSync(file).size;
  }
}

function readEnvironment(path: string): EnvironmentSource {
  if (!existsSync(path)) throw new Error(`there is no file ${path}`);
  return readEnvironmentSource(path);
}

/** Describes a programme by file and version. Throws `ConfigurationError`. */
function describe(source: EnvironmentSource): string {
  return `${source.path} (${loadEnvironmentFrom(source).version})`;
}
