/**
 * Runs the whole suite again and again, the first half of the runs beside two processes that burn a core each and the second half
 * alone, and prints a table. Ends with 0 when nothing failed. Ten runs take over an hour:
 *
 *     .toolchain/bin/node scripts/repeat-suite.ts 10
 *     .toolchain/bin/node scripts/repeat-suite.ts 1 --standstills   while one process after the other stands still for a moment
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { startStandstills } from './standstills.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const BURNERS = 2;

interface Run {
  readonly seconds: number;
  /** The last line of the checks. */
  readonly result: string;
  readonly failures: readonly string[];
  readonly succeeded: boolean;
}

/** Starts processes that do nothing but burn a core each. */
function startBurners(): ChildProcess[] {
  return Array.from({ length: BURNERS }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
}

async function runSuite(): Promise<Run> {
  const startedMs = performance.now();
  const child = spawn('npm', ['test'], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const endStandstills = hasStandstills && child.pid !== undefined ? startStandstills(child.pid) : undefined;
  let output = '';
  // Failures are told on the second one.
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      process.stderr.write(text);
    });
  }
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  await endStandstills?.();
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  const lines = output.trimEnd().split('\n');
  const failures = lines.filter((line) => /^ FAIL /.test(line)).map((line) => line.slice(' FAIL '.length).trim());
  return {
    seconds,
    result: lines.findLast((line) => line.startsWith('tests: ')) ?? 'no result',
    failures: [...new Set(failures)],
    succeeded: code === 0,
  };
}

const count = Number(process.argv[2] ?? 10);
const hasStandstills = process.argv.includes('--standstills');
const rows: string[] = [];
let succeeded = true;
for (let run = 1; run <= count; run += 1) {
  const isBusy = !hasStandstills && run <= count / 2;
  const beside = hasStandstills ? 'standstills' : isBusy ? `${BURNERS} burners` : 'alone';
  const burners = isBusy ? startBurners() : [];
  try {
    const { seconds, result, failures, ...outcome } = await runSuite();
    succeeded &&= outcome.succeeded;
    rows.push(`| ${run} | ${beside} | ${seconds} | ${result} | ${failures.join('; ')} |`);
  } finally {
    for (const burner of burners) burner.kill('SIGKILL');
  }
}
console.log(
  `\nNode ${process.versions.node}, ${availableParallelism()} cores, ${new Date().toISOString().slice(0, 10)}\n`,
);
console.log('| run | beside | seconds | result | failed |\n| --- | --- | --- | --- | --- |');
console.log(rows.join('\n'));
process.exitCode = succeeded ? 0 : 1;
