/** A log whose reader is gone, or that is closed before all of it is written: every line is written, or counted and reported. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, readdirSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openLog } from '../../src/telemetry/log.ts';
import { quickStart } from '../support/quick-start.ts';
import { until } from '../support/wait.ts';

let place: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'loy-'));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const OPEN = `
  import { setTimeout as sleep } from 'node:timers/promises';
  import { openLog } from './src/telemetry/log.ts';
  const { log, close } = await openLog({ level: 'info', dir: undefined, process: 1 });`;
const RUN = [process.execPath, '--input-type=module-typescript', '-e'] as const;
const env = quickStart({ PATH: process.env['PATH'] });

test.each(['pipe', 'socket'])(
  'lines for a %s without a reader are counted at once, and reported at the end',
  async (kind) => {
    // Far from the size at which lines are dropped.
    const writing = `${OPEN}
    for (let lines = 0; log.losses().blocked === 0 && lines < 1000; lines += 1) {
      log.info('line');
      await sleep(10);
    }
    const before = log.losses().blocked;
    log.info('another one');
    await close();
    console.error([before, log.losses().blocked].join());
    process.exit();`;
    const [node, ...words] = [...RUN, writing];
    const child =
      kind === 'socket'
        ? spawn(node as string, words, { env, stdio: ['ignore', 'pipe', 'pipe'] })
        : spawn('sh', ['-c', '"$@" | head -n 1 > /dev/null', 'sh', node as string, ...words], { env });
    child.stdout?.once('data', () => child.stdout?.destroy());
    const [report, counts = ''] = (await text(child.stderr as NonNullable<typeof child.stderr>)).trim().split('\n');
    const [before = 0, after] = counts.split(',').map(Number);
    expect(before).toBeGreaterThan(0);
    expect(after).toBe(before + 1);
    expect(report).toBe(`loyalty: ${after} log lines were lost`);
  },
);

test('what a full pipe does not take until the end is counted, and no other line', async () => {
  const fifo = join(place, 'fifo');
  execFileSync('mkfifo', [fifo]);
  // A reader that is there and does not read.
  const pipe = openSync(fifo, constants.O_RDONLY | constants.O_NONBLOCK);
  const end = openSync(fifo, constants.O_WRONLY);
  const writing = `${OPEN}
    for (let lines = 0; lines < 100; lines += 1) log.info({ reason: 'x'.repeat(3000) }, 'line');
    await close();
    console.error(log.losses().blocked);
    process.exit();`;
  const [node, ...words] = [...RUN, writing];
  const child = spawn(node as string, words, { env, stdio: ['ignore', end, 'pipe'] });
  closeSync(end);
  const exited = once(child, 'exit');
  const [report, counted] = (await text(child.stderr as NonNullable<typeof child.stderr>)).trim().split('\n');
  await exited;
  const bytes = Buffer.alloc(1024 * 1024);
  let length = 0;
  for (let count = -1; count !== 0; length += count) count = readSync(pipe, bytes, length, bytes.length - length, null);
  closeSync(pipe);
  const arrived = bytes.toString('utf8', 0, length).split('\n').length - 1;
  expect(arrived).toBeGreaterThan(0);
  expect(Number(counted)).toBe(100 - arrived);
  expect(report).toBe(`loyalty: ${counted} log lines were lost`);
});

test('a log that is closed while it writes has its last line', async () => {
  const { log, close } = await openLog({ level: 'info', dir: place, process: 1 });
  const read = () => readdirSync(place).map((name) => readFileSync(join(place, name), 'utf8'));
  const messages = () =>
    read().flatMap((lines) =>
      lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).msg),
    );
  log.warn('open');
  await until('the file', () => read().some((lines) => lines !== ''));
  // More than a page begins a write, and the next line waits for its end.
  log.info({ reason: 'x'.repeat(5000) }, 'first');
  log.info('last');
  await close();
  expect(messages()).toEqual(['open', 'first', 'last']);
  expect(log.losses()).toEqual({ blocked: 0, removed: 0 });
});
