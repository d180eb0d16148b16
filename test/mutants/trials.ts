import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Progress } from '../../packages/tools/src/terminal/progress.ts';
import { nodeLink, root } from '../../scripts/setup/paths.mjs';

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

/** Runs tests against changes, in two processes that each have half of the changes. */

const VITEST = join(root, 'node_modules/vitest/vitest.mjs');

/** Two processes: the rest of a machine stays with whoever works on it. */
const PROCESSES = 2;

/**
 * A process that is silent for longer than it has said runs something endless. A test that only waits is given up by the process itself,
 * which then has to take down what it has started.
 */
const MOST_MS = 3_000;
const MOST_SYSTEM_MS = 90_000;
const CHECK_MS = 1_000;
/** A process that has met all changes may be kept by what one of them left behind. */
const MOST_END_MS = 10_000;

/** Random tests draw a tenth of their cases: a change that these find is also found by all of them. */
const FEW_CASES = '0.1';

/** What a process is to do. */
export interface Trial {
  /** The copy of the project that holds the changes. */
  readonly root: string;
  readonly files: readonly string[];
  /** They start Redis servers and services, which last from one change to the next. */
  readonly isSystem: boolean;
  readonly mutants: readonly string[];
  /** Those of them that change nothing, as far as is known. */
  readonly judged: readonly string[];
  readonly verdictPath: string;
}

type Verdict = 'running' | 'found' | 'survived';
/** By the number of the change. */
export type Verdicts = Record<string, Verdict>;

/** Returns the changes that no test of these files finds. */
export async function runTrials(all: Omit<Trial, 'verdictPath'>): Promise<Set<string>> {
  const trials = Array.from({ length: PROCESSES }, (_, own): Trial => {
    const mutants = all.mutants.filter((_id, at) => at % PROCESSES === own);
    return { ...all, mutants, verdictPath: join(all.root, `verdicts-${own}.json`) };
  });
  for (const { verdictPath } of trials) writeFileSync(verdictPath, '{}');
  const progress = new Progress('changes');
  const timer = setInterval(() => {
    const met = trials.reduce((sum, { verdictPath }) => sum + Object.keys(verdictsIn(verdictPath)).length, 0);
    progress.show(met, met / all.mutants.length);
  }, 1000);
  try {
    const survivors = trials.map((trial, own) => runTrial(trial, join(all.root, `trial-${own}.json`)));
    return new Set((await Promise.all(survivors)).flat());
  } finally {
    clearInterval(timer);
    progress.finish(all.mutants.length);
  }
}

function verdictsIn(path: string): Verdicts {
  return JSON.parse(readFileSync(path, 'utf8')) as Verdicts;
}

/** A process that stands still or breaks is ended, its change counts as found, and another one goes on. */
async function runTrial(trial: Trial, path: string): Promise<string[]> {
  writeFileSync(path, JSON.stringify(trial));
  // What an earlier pass has learnt of other tests.
  rmSync(`${path}.known`, { force: true });
  for (;;) {
    const isEnded = await runProcess(trial, path);
    const verdicts = verdictsIn(trial.verdictPath);
    if (isEnded) return trial.mutants.filter((id) => verdicts[id] === 'survived');
    for (const [id, verdict] of Object.entries(verdicts)) if (verdict === 'running') verdicts[id] = 'found';
    writeFileSync(trial.verdictPath, JSON.stringify(verdicts));
  }
}

/** Returns false when the process stood still. */
function runProcess({ root: copy, verdictPath, mutants, isSystem }: Trial, path: string): Promise<boolean> {
  // Short, because the path of a unix socket is.
  const folder = mkdtempSync(join(tmpdir(), 'loy-'));
  return new Promise((resolve, reject) => {
    const child = spawn(nodeLink, [VITEST, 'run', '--config', join(copy, 'test/mutants/vitest.config.ts')], {
      cwd: copy,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, which is ended with everything that it has started.
      detached: true,
      env: { CASES: FEW_CASES, ...process.env, MUTANTS_TRIAL: path, TMPDIR: folder },
    });
    const end = (): void => {
      try {
        process.kill(-child.pid!, 'SIGKILL');
      } catch {
        // It has ended.
      }
      rmSync(folder, { recursive: true, force: true });
    };
    process.once('exit', end);
    const output: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
    let isStanding = false;
    let isOver = false;
    const isRunning = () => readFileSync(verdictPath, 'utf8').includes('"running"');
    const hasMetAll = () => {
      const verdicts = verdictsIn(verdictPath);
      return mutants.every((id) => verdicts[id] === 'found' || verdicts[id] === 'survived');
    };
    const timer = setInterval(() => {
      // Negative until the time that the process has named.
      const quietMs = Date.now() - statSync(verdictPath).mtimeMs;
      isOver = quietMs >= MOST_END_MS && hasMetAll();
      isStanding = quietMs >= (isSystem ? MOST_SYSTEM_MS : MOST_MS) && isRunning();
      if (isOver || isStanding) end();
    }, CHECK_MS);
    child.once('error', reject);
    child.once('exit', (code) => {
      clearInterval(timer);
      process.off('exit', end);
      end();
      const told = Buffer.concat(output).toString();
      for (const [line] of told.matchAll(/^left out.*/gm)) console.log(line);
      // A change may end the process, since the HTTP library does so where a response is touched after its end.
      const isBroken = code !== 0 && isRunning();
      if (isOver || isStanding || isBroken || code === 0) resolve(isOver || code === 0);
      else reject(new Error(`The tests ended with ${code}\n${told}`));
    });
  });
}
