/** One process at most has an outbox: among contenders of the same instant, across containers, and after a kill. */

import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { FileStore } from 'loyalty-basket-client';
import { expect, test } from 'vitest';
import { forgetProcess, temporaryDirectory, watchProcess } from '../../../test/support/cleanup.ts';
import { quickStart } from '../../../test/support/quick-start.ts';

const ROUNDS = 200;
const SEED = 13;
/** Until then every contender has read its order. */
const READY_MS = 15;

/** A process-ID namespace, which every container has: what runs in it is process 1. */
const CONTAINER = ['unshare', '--user', '--map-root-user', '--pid', '--fork', '--kill-child', '--mount-proc'];
const hasContainers = spawnSync(CONTAINER[0]!, [...CONTAINER.slice(1), 'true']).status === 0;

/** A process that takes the outbox and gives it back as it is told. */
class Contender {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #answers: AsyncIterator<string>;

  /** `wrapper`: a command that runs another. */
  constructor(path: string, seed: number, wrapper: readonly string[] = []) {
    const program = fileURLToPath(new URL('lock-process.ts', import.meta.url));
    const [command, ...args] = [...wrapper, process.execPath, program, path, String(seed)];
    this.#child = spawn(command!, args, { env: quickStart(process.env), stdio: ['pipe', 'pipe', 'inherit'] });
    watchProcess(this.#child.pid!);
    this.#answers = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** `has` or `refused`. Takes from an instant on that several contenders can share, as Unix time in milliseconds. */
  take(atMs = 0): Promise<string> {
    return this.#tell(`take ${atMs}`);
  }

  release(): Promise<string> {
    return this.#tell('release');
  }

  async end(signal?: NodeJS.Signals): Promise<void> {
    if (signal) this.#child.kill(signal);
    this.#child.stdin.end();
    await once(this.#child, 'close');
    forgetProcess(this.#child.pid!);
  }

  async #tell(order: string): Promise<string> {
    this.#child.stdin.write(`${order}\n`);
    return (await this.#answers.next()).value;
  }
}

/** The content of the lock file that a process leaves when it is killed while it has the outbox. */
async function leftBehind(path: string): Promise<string> {
  const victim = new Contender(path, SEED);
  expect(await victim.take()).toBe('has');
  await victim.end('SIGKILL');
  return readFileSync(`${path}.lock`, 'utf8');
}

test(`of three processes exactly one takes over from one that was killed, ${ROUNDS} times (seed ${SEED})`, async () => {
  const path = join(temporaryDirectory(), 'outbox.log');
  const left = await leftBehind(path);
  const contenders = [1, 2, 3].map((number) => new Contender(path, SEED + number));
  const rounds: Record<string, number> = {};
  for (let round = 0; round < ROUNDS; round += 1) {
    writeFileSync(`${path}.lock`, left);
    const atMs = Date.now() + READY_MS;
    const answers = await Promise.all(contenders.map((contender) => contender.take(atMs)));
    const outcome = `${answers.filter((answer) => answer === 'has').length} of 3`;
    rounds[outcome] = (rounds[outcome] ?? 0) + 1;
    await Promise.all(contenders.map((contender) => contender.release()));
  }
  await Promise.all(contenders.map((contender) => contender.end()));
  expect(rounds).toEqual({ '1 of 3': ROUNDS });
}, 300_000);

test.runIf(hasContainers)('of two containers on one volume, each of them process 1, one has the outbox', async () => {
  const path = join(temporaryDirectory(), 'outbox.log');
  const [first, second] = [new Contender(path, 1, CONTAINER), new Contender(path, 2, CONTAINER)];
  expect(await first.take()).toBe('has');
  expect(readFileSync(`${path}.lock`, 'utf8')).toMatch(/^1 /);
  expect(await second.take()).toBe('refused');
  await first.release();
  expect(await second.take()).toBe('has');
  await Promise.all([first.end(), second.end()]);
});

test('an outbox that could not be opened is free again', async () => {
  const path = join(temporaryDirectory(), 'outbox.log');
  mkdirSync(path);
  await expect(new FileStore(path).load()).rejects.toThrow('EISDIR');
  rmdirSync(path);
  const store = new FileStore(path);
  expect(await store.load()).toEqual([]);
  await store.close();
});
