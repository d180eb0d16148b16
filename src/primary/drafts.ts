import { type ExecFileException, execFile } from 'node:child_process';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { setPriority, tmpdir } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import type { Administration, Backtest } from '../../packages/console/src/admin/administration.ts';
import type { EnvironmentSource } from '../programme/source.ts';
import type { Settings } from '../settings.ts';
import { openDraftThread } from '../threads/drafts.ts';

/** What the administration does with drafts of the configuration. */

/** The newest records are enough to judge a draft by, and a person waits. About ten thousand baskets of twenty lines. */
const MOST_RECORDED_BYTES = 32 * 1024 * 1024;
const PATIENCE_MS = 120_000;
/** Behind everything that answers calls. */
const LOW_PRIORITY = 15;
/** A program of its own, of which this room imports nothing. */
const TOOL = join(import.meta.dirname, '..', '..', 'packages', 'tools', 'src', 'loyalty.ts');

/** Opens the thread for drafts, and the backtest where baskets are recorded. `inForce` is what a draft is compared with. */
export function openDrafts(
  settings: Settings,
  inForce: () => EnvironmentSource,
): Pick<Administration, 'drafts' | 'backtest'> {
  const { recording } = settings;
  let isBusy = false;
  const backtest = async (file: string, draft: EnvironmentSource): Promise<Backtest> => {
    if (isBusy) return { outcome: 'not done', kind: 'unavailable', reason: 'another one is running' };
    isBusy = true;
    const folder = mkdtempSync(join(tmpdir(), 'loyalty-backtest-'));
    try {
      return await runBacktest(folder, { file, draft, inForce: inForce() });
    } finally {
      rmSync(folder, { recursive: true, force: true });
      isBusy = false;
    }
  };
  return { drafts: openDraftThread(), backtest: recording && ((draft) => backtest(recording.file, draft)) };
}

interface Order {
  readonly file: string;
  readonly draft: EnvironmentSource;
  readonly inForce: EnvironmentSource;
}

/** Runs the tool as a process of its own: it takes memory and minutes of a core. */
async function runBacktest(folder: string, { file, draft, inForce }: Order): Promise<Backtest> {
  const records = await collectRecords(folder, file);
  if (records.length === 0) return { outcome: 'not done', kind: 'conflict', reason: 'no basket has been recorded yet' };
  const [config, against] = [writeSource(folder, 'draft', draft), writeSource(folder, 'in-force', inForce)];
  const out = join(folder, 'out');
  const args = ['backtest', ...records, '--config', config, '--against', against, '--out', out, '--threads', '1'];
  // The same report is in the folder; what is printed of it is not looked at, however long it is.
  const options = { timeout: PATIENCE_MS, maxBuffer: Number.POSITIVE_INFINITY };
  const running = promisify(execFile)(process.execPath, [TOOL, ...args], options);
  if (running.child.pid !== undefined) setPriority(running.child.pid, LOW_PRIORITY);
  const failure = await running.then(
    () => undefined,
    (error: ExecFileException) => error,
  );
  if (failure?.signal === 'SIGTERM') {
    return { outcome: 'not done', kind: 'unavailable', reason: `it took longer than ${PATIENCE_MS / 1000} s` };
  }
  // A report in which no basket could be priced says why.
  const report = join(out, 'report.txt');
  if (existsSync(report)) return { outcome: 'done', report: readFileSync(report, 'utf8') };
  const reason = (failure?.signal ?? failure?.stderr?.trim()) || 'the backtest left no report';
  return { outcome: 'not done', kind: 'refused', reason };
}

/** Writes the files of a source into a folder of their own, in the order in which they count. */
function writeSource(folder: string, name: string, { files }: EnvironmentSource): string {
  const path = join(folder, name);
  mkdirSync(path);
  const digits = String(files.length).length;
  for (const [at, { text }] of files.entries()) {
    writeFileSync(join(path, `${String(at).padStart(digits, '0')}.yaml`), text, { mode: 0o600 });
  }
  return path;
}

/** The newest records of all processes, as files: of one that is too large its end. */
async function collectRecords(folder: string, file: string): Promise<string[]> {
  const [directory, extension] = [dirname(file), extname(file) || '.ndjson'];
  const base = `${basename(file, extname(file))}-`;
  const parts = readdirSync(directory)
    .filter((name) => name.startsWith(base) && name.endsWith(extension))
    .flatMap((name) => {
      const path = join(directory, name);
      // A process that starts may remove an old file meanwhile.
      const facts = statSync(path, { throwIfNoEntry: false });
      return facts?.isFile() && facts.size > 0 ? { path, facts } : [];
    })
    .sort((one, other) => other.facts.mtimeMs - one.facts.mtimeMs);
  const chosen: string[] = [];
  let left = MOST_RECORDED_BYTES;
  for (const { path, facts } of parts) {
    if (left <= 0) break;
    const copy = await copyEnd(join(folder, `${chosen.length}.ndjson`), path, facts.size, left);
    if (copy === undefined) continue;
    chosen.push(copy);
    left -= facts.size;
  }
  return chosen;
}

/**
 * Copies the last bytes of a file, from the first whole line on, because a process that starts, or begins a new file, may remove it
 * at any time. Undefined where it is gone already.
 */
async function copyEnd(target: string, path: string, size: number, bytes: number): Promise<string | undefined> {
  const start = Math.max(0, size - bytes);
  const end = await buffer(createReadStream(path, { start, end: size - 1 })).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });
  if (end === undefined) return undefined;
  writeFileSync(target, start === 0 ? end : end.subarray(end.indexOf('\n') + 1), { mode: 0o600 });
  return target;
}
