/** `npx loyalty events`: the event streams as NDJSON, resumed without a gap, and with a word where there is one. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ROOT } from '../architecture/source.ts';
import { runBlock } from '../deploy/runbook.ts';
import { useWorkplace } from '../members/command.ts';
import { forgetProcess, watchProcess } from '../support/cleanup.ts';
import { runCommand } from '../support/run-command.ts';
import { environmentOf } from '../support/service.ts';
import { until } from '../support/wait.ts';

const stage = useWorkplace();
const DAY_MS = 86_400_000;
const nowMs = Date.now();

const env = (more: object = {}) => environmentOf({ redisUrl: stage.place.redis.url, ...more }, stage.place.directory);
const events = (...args: string[]) => runCommand(['events', ...args], env());
const keyOf = (stream: number) => `loyalty:staging:events:${stream}`;
const add = (stream: number, id: string, ...words: string[]) =>
  stage.place.redis.client.xadd(keyOf(stream), id, ...words);
const parse = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const idsIn = (path: string) => parse(readFileSync(path, 'utf8')).map(({ stream, id }) => `${stream}/${id}`);

test('every event is a line with its place, in order, and its fields or the JSON that it is', async () => {
  await add(1, `${nowMs}-1`, 'calculationId', 'b', 'result', 'recorded');
  await add(0, `${nowMs}-0`, 'calculationId', 'a', 'result', 'expired');
  await add(3, `${nowMs}-2`, 'event', '{"version":1,"id":"own","result":"returned","refund":500}');
  const { code, stdout, stderr } = await events();
  expect([code, stderr]).toEqual([0, 'events: reading from the oldest event that is kept\n']);
  expect(parse(stdout)).toEqual([
    { stream: 0, id: `${nowMs}-0`, calculationId: 'a', result: 'expired' },
    { stream: 1, id: `${nowMs}-1`, calculationId: 'b', result: 'recorded' },
    { stream: 3, id: `${nowMs}-2`, version: 1, result: 'returned', refund: 500 },
  ]);
});

test('it begins at an ID or an instant, the first event included', async () => {
  for (const ms of [0, 10, 20]) await add(2, `${nowMs + ms}-0`, 'n', String(ms));
  const from = async (text: string) => parse((await events('--from', text)).stdout).map(({ n }) => n);
  expect(await from(`${nowMs + 10}-0`)).toEqual(['10', '20']);
  expect(await from(`${nowMs + 10}-1`)).toEqual(['20']);
  expect(await from(new Date(nowMs + 1).toISOString())).toEqual(['10', '20']);
  expect(await from(String(nowMs + 20))).toEqual(['20']);
  for (const first of ['0', '0-0']) expect(await from(first)).toEqual(['0', '10', '20']);
  for (const wrong of ['yesterday', '12-x']) {
    const stderr = expect.stringMatching(/^events: --from: found ".*", allowed: .*\n$/);
    expect(await events('--from', wrong)).toMatchObject({ code: 2, stderr });
  }
});

test('of more events than are read at once each comes once, those of every stream in order', async () => {
  const numbers = Array.from({ length: 2_500 }, (_, n) => n);
  await Promise.all(numbers.map((n) => add(n % 5 === 0 ? 2 : 0, `${nowMs + n}-0`, 'n', String(n))));
  const found = parse((await events()).stdout);
  for (const stream of [0, 2]) {
    const own = found.filter((event) => event['stream'] === stream).map(({ n }) => Number(n));
    expect(own).toEqual(numbers.filter((n) => (n % 5 === 0 ? 2 : 0) === stream));
  }
});

test('a pipe is written, and not read as a file would be', async () => {
  const pipe = stage.place.path('pipe');
  await add(0, `${nowMs}-0`, 'n', '1');
  execFileSync('mkfifo', [pipe]);
  const reader = spawn('cat', [pipe]);
  watchProcess(reader.pid!);
  const read = text(reader.stdout);
  expect((await events('--out', pipe)).code).toBe(0);
  expect(parse(await read)).toEqual([{ stream: 0, id: `${nowMs}-0`, n: '1' }]);
  forgetProcess(reader.pid!);
});

test('a file goes on behind its last event of each stream, says so, and loses a torn line', async () => {
  const out = stage.place.path('events.ndjson');
  await add(0, `${nowMs}-0`, 'n', '1');
  await add(1, `${nowMs}-0`, 'n', '2');
  // Nothing but a torn line is as good as nothing.
  writeFileSync(out, `{"stream":0,"id":"${nowMs}-0","n":`, { mode: 0o600 });
  expect((await events('--out', out)).code).toBe(0);
  appendFileSync(out, '{"stream":1,"id":"99');
  await add(1, `${nowMs}-5`, 'n', '3');
  await add(2, `${nowMs}-1`, 'n', '4');
  const stderr = `events: ${out} has 2 events; going on after ${nowMs}-0 of stream 0, ${nowMs}-0 of stream 1\n`;
  const second = await events('--out', out, '--from', '2020-01-01T00:00:00Z');
  expect(second).toEqual({ code: 0, stdout: '', stderr });
  const all = [`0/${nowMs}-0`, `1/${nowMs}-0`, `2/${nowMs}-1`, `1/${nowMs}-5`];
  expect(idsIn(out)).toEqual(all);
  for (const more of ['', 'no event, but behind some']) {
    appendFileSync(out, more);
    expect((await events('--out', out)).code).toBe(0);
    expect(idsIn(out)).toEqual(all);
  }
});

test('a file that is no export is refused as it stands, with a line break at its end or without', async () => {
  const other = stage.place.path('other.txt');
  const stderr = expect.stringContaining('line 1 is not an event of this command');
  for (const text of ['a list\n', 'a list', '{"stream":"radio"}']) {
    writeFileSync(other, text);
    expect(await events('--out', other)).toMatchObject({ code: 2, stderr });
    expect(readFileSync(other, 'utf8')).toBe(text);
  }
});

test('where the stream was trimmed past the last event of the file, it says which are missing', async () => {
  const out = stage.place.path('late.ndjson');
  const old = nowMs - 9 * DAY_MS;
  await add(0, `${old}-0`, 'n', '1');
  await add(1, `${nowMs}-0`, 'n', '2');
  expect((await events('--out', out)).code).toBe(0);
  expect(statSync(out).mode & 0o777).toBe(0o600);
  await add(0, `${old + 1000}-0`, 'n', 'unread');
  await add(0, `${nowMs}-0`, 'n', '3');
  await stage.place.redis.client.xtrim(keyOf(0), 'MINID', '=', nowMs - 7 * DAY_MS);
  const { code, stderr } = await events('--out', out);
  expect(code).toBe(1);
  expect(stderr.split('\n')[1]).toBe(
    `events: MISSED: events of stream 0 between ${new Date(old).toISOString()} and ${new Date(nowMs).toISOString()} may have been removed before they were read; calculation.retentionDays says how long they are kept`,
  );
  expect(idsIn(out)).toEqual([`0/${old}-0`, `1/${nowMs}-0`, `0/${nowMs}-0`]);
  // A file that is not behind misses nothing, however much is trimmed.
  await stage.place.redis.client.xtrim(keyOf(0), 'MAXLEN', '=', 0);
  await add(0, `${nowMs + 1000}-0`, 'n', '4');
  expect(await events('--out', out)).toMatchObject({ code: 0, stderr: expect.not.stringContaining('MISSED') });
  expect(idsIn(out)).toHaveLength(4);
});

test('with --follow it writes new events until it is told to end', async () => {
  const out = stage.place.path('followed.ndjson');
  const args = ['packages/tools/src/loyalty.ts', 'events', '--follow', '--out', out];
  const child = spawn(process.execPath, args, { cwd: ROOT, env: env() });
  watchProcess(child.pid!);
  const ended = once(child, 'close');
  await add(0, `${nowMs}-0`, 'n', '1');
  await until('the first event', () => existsSync(out) && idsIn(out).length === 1);
  await add(1, `${nowMs}-1`, 'n', '2');
  await until('the second event', () => idsIn(out).length === 2);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  forgetProcess(child.pid!);
});

test('a file that cannot be opened ends the command', async () => {
  const args = ['packages/tools/src/loyalty.ts', 'events', '--out', stage.place.path('no-folder/events.ndjson')];
  const child = spawn(process.execPath, args, { cwd: ROOT, env: env() });
  watchProcess(child.pid!);
  expect(await once(child, 'close')).toEqual([2, null]);
  forgetProcess(child.pid!);
});

test('the commands of the page do what it says', async () => {
  const EVENTS = stage.place.path('page.ndjson');
  await add(0, `${nowMs}-0`, 'n', '1');
  const words = await runBlock('Write the events to a file', { ...env({ isPlain: true }), EVENTS });
  expect([words.trim(), idsIn(EVENTS)]).toEqual(['1', [`0/${nowMs}-0`]]);
});
