import { createReadStream, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { loadEnvironmentFrom } from '../../../../src/programme/load.ts';
import { type EnvironmentSource, readEnvironmentSource } from '../../../../src/programme/source.ts';
import { readSettingsOfService } from '../../../../src/settings.ts';
import type { MalformedLine } from '../backtest/batch.ts';
import { readEnds } from '../backtest/ends.ts';
import { loadMembers } from '../backtest/members-file.ts';
import { emptyTally, mergeTally } from '../backtest/tally.ts';
import { rehearseBatches } from '../backtest/threads.ts';
import { readLineBatches } from '../ndjson/line-batches.ts';
import { Progress } from '../terminal/progress.ts';
import { renderBenefitDays, renderReport } from './backtest-tables.ts';
import { assertLastingFile, assertNotInput } from './input-file.ts';

/** `backtest baskets.ndjson --config draft.yaml`: the cost of a draft on recorded baskets. */

const BATCH_BYTES = 256 * 1024;
const MALFORMED_SHOWN = 10;

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
  const totalBytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  const progress = new Progress('baskets');
  let [malformedLines, doneBytes, unpriced] = [0, 0, 0];
  for (const file of files) {
    const nameMalformed = ({ line, reason }: MalformedLine): string => {
      malformedLines += 1;
      if (malformedLines <= MALFORMED_SHOWN) process.stderr.write(`${file}:${line}: ${reason}; skipped\n`);
      return `${JSON.stringify({ file, line, reason })}\n`;
    };
    const chunks = createReadStream(file, { highWaterMark: BATCH_BYTES });
    await rehearseBatches(
      readLineBatches(chunks, BATCH_BYTES),
      { current, draft, members, ends },
      values.threads,
      async (result, batch) => {
        mergeTally(tally, result.tally);
        await differences.appendFile(result.differences);
        await malformed.appendFile(result.malformed.map(nameMalformed).join(''));
        unpriced = [...tally.unpriced.values()].reduce((sum, count) => sum + count, 0);
        progress.show(tally.counts.priced + unpriced, (doneBytes + batch.endOffset) / totalBytes);
      },
    );
    doneBytes += statSync(file).size;
  }
  await Promise.all([differences.close(), malformed.close()]);
  progress.finish(tally.counts.priced + unpriced);

  const text = renderReport({ tally, malformedLines, ...programmes });
  writeFileSync(pathOf('report'), text, { mode: 0o600 });
  writeFileSync(pathOf('days'), renderBenefitDays(tally), { mode: 0o600 });
  process.stdout.write(`${text}\n${values.out}/ has this report, and a line per differing basket.\n`);
  return tally.counts.priced === 0 ? 1 : 0;
}

function readEnvironment(path: string): EnvironmentSource {
  if (!existsSync(path)) throw new Error(`there is no file ${path}`);
  return readEnvironmentSource(path);
}

/** Describes a programme by file and version. Throws `ConfigurationError`. */
function describe(source: EnvironmentSource): string {
  return `${source.path} (${loadEnvironmentFrom(source).version})`;
}
