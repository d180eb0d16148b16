/** What the service writes to is full, blocked or gone, and file descriptors run out: calls are served all the same. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdirSync, openSync, readSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Caller, patiently } from '../support/caller.ts';
import { cleanUp, forgetProcess, temporaryDirectory, watchProcess } from '../support/cleanup.ts';
import { freePorts } from '../support/free-ports.ts';
import { RawConnection } from '../support/raw-connection.ts';
import { RedisServer } from '../support/redis-server.ts';
import { environmentOf } from '../support/service.ts';
import { newSecret } from '../support/signer.ts';
import { sleep, until, within } from '../support/wait.ts';
import { basketOf, expectApplied, faultConfiguration } from './support.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const START_LIMIT_MS = 90_000;
const STOP_LIMIT_MS = 30_000;
const secret = newSecret();
let redis: RedisServer;

beforeAll(async () => {
  redis = await RedisServer.launch();
});
afterAll(async () => {
  await redis?.stop();
  cleanUp();
});

interface Blind {
  readonly child: ChildProcess;
  readonly caller: Caller;
  readonly baseUrl: string;
  isReady(): Promise<boolean>;
}

/** Starts a service whose output nobody reads, so on ports that are known beforehand. */
async function startBlind(
  stdout: number | 'ignore',
  env: Record<string, string> = {},
  shell = 'exec "$@"',
): Promise<Blind> {
  const [port, opsPort] = await freePorts(2);
  const directory = temporaryDirectory();
  const options = { configuration: faultConfiguration(), secrets: [secret], redisUrl: redis.url };
  const child = spawn('sh', ['-c', shell, 'sh', process.execPath, 'src/main.ts'], {
    cwd: ROOT,
    env: { ...environmentOf(options, directory), PORT: String(port), OPS_PORT: String(opsPort), ...env },
    stdio: ['ignore', stdout, 'pipe'],
  });
  let said = '';
  child.stderr?.on('data', (part) => {
    said += part;
  });
  const pid = child.pid ?? 0;
  watchProcess(pid);
  child.once('exit', () => forgetProcess(pid));
  const baseUrl = `http://127.0.0.1:${port}`;
  const isReady = async () => {
    if (child.exitCode !== null || child.signalCode !== null) throw new Ended(`the service has ended: ${said}`);
    const answer = await fetch(`http://127.0.0.1:${opsPort}/readyz`, { signal: AbortSignal.timeout(1000) });
    await answer.arrayBuffer();
    return answer.ok;
  };
  await until('the service to be ready', () => isReady().catch(rethrowEnd), START_LIMIT_MS);
  return { child, baseUrl, isReady, caller: new Caller(baseUrl, { secret, isPatient: false }) };
}

class Ended extends Error {}

function rethrowEnd(fault: Error): false {
  if (fault instanceof Ended) throw fault;
  return false;
}

async function stop({ child, caller }: Blind): Promise<{ code: number | null }> {
  caller.close();
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const exit = await within(exited, STOP_LIMIT_MS);
  if (!exit) child.kill('SIGKILL');
  return { code: exit ? (exit[0] as number | null) : -1 };
}

/** Calls enough for the log lines to fill a pipe of 64 KB more than twice. One that is refused is followed by another basket. */
async function expectServed(caller: Caller, count = 400): Promise<void> {
  for (let at = 0; at < count; at += 20) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => patiently(() => caller.basket(basketOf()))));
    for (const answer of answers) expectApplied(answer);
  }
}

test('a log pipe that nobody reads blocks no call and no shutdown, and goes on with whole lines when it is read', async () => {
  const pipe = join(temporaryDirectory(), 'log');
  execFileSync('mkfifo', [pipe]);
  // Open in both directions, so that it has a reader who does not read.
  const descriptor = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
  const writer = openSync(pipe, constants.O_WRONLY);
  const service = await startBlind(writer);
  closeSync(writer);
  await expectServed(service.caller);
  expect(await service.isReady()).toBe(true);
  let text = '';
  const buffer = Buffer.alloc(65_536);
  await until('every call to be logged', () => {
    try {
      for (let size = 1; size > 0; text += buffer.toString('utf8', 0, size)) size = readSync(descriptor, buffer);
    } catch {
      // Empty for now.
    }
    return (text.match(/"msg":"request"/g)?.length ?? 0) >= 400;
  });
  for (const line of text.split('\n').slice(0, -1)) if (line.startsWith('{')) JSON.parse(line);
  await expectServed(service.caller);
  const exit = await stop(service);
  closeSync(descriptor);
  expect(exit).toEqual({ code: 0 });
});

test('a log on a full disk loses lines, not calls', async () => {
  const descriptor = openSync('/dev/full', 'w');
  const service = await startBlind(descriptor);
  closeSync(descriptor);
  await expectServed(service.caller, 200);
  expect(await stop(service)).toEqual({ code: 0 });
});

test('a reader of the log that goes away ends nothing', async () => {
  const pipe = join(temporaryDirectory(), 'log');
  execFileSync('mkfifo', [pipe]);
  const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const writer = openSync(pipe, constants.O_WRONLY);
  const service = await startBlind(writer);
  closeSync(writer);
  await expectServed(service.caller, 20);
  closeSync(reader);
  await expectServed(service.caller, 200);
  expect(await stop(service)).toEqual({ code: 0 });
});

test('a LOG_DIR on a full disk loses lines, not calls; with too many open files new connections wait or are refused, and the process serves again', async () => {
  const logDirectory = join(temporaryDirectory(), 'log');
  mkdirSync(logDirectory);
  // The day's file leads to a device that is always full.
  for (const offset of [0, 1]) {
    const day = new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
    for (let number = 1; number <= 3; number += 1)
      symlinkSync('/dev/full', join(logDirectory, `service.${day}.${number}.log`));
  }
  const service = await startBlind('ignore', { LOG_DIR: logDirectory }, 'ulimit -n 64; exec "$@"');
  await expectServed(service.caller, 200);
  const open: RawConnection[] = [];
  for (let count = 0; count < 200; count += 1) {
    const connection = await within(
      RawConnection.open(service.baseUrl).catch(() => undefined),
      200,
    );
    if (connection) open.push(connection);
  }
  await sleep(500);
  expect(service.child.exitCode).toBeNull();
  for (const connection of open) connection.close();
  await until('a basket to be served', async () => {
    const answer = await within(
      service.caller.basket(basketOf(), { timeoutMs: 5000 }).catch(() => undefined),
      6000,
    );
    return answer?.status === 200;
  });
  await expectServed(service.caller, 40);
  expect(await stop(service)).toEqual({ code: 0 });
});
