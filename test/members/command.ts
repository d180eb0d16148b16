/** `npm run members` as a process of its own, on a Redis and in a directory of the test's. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { cleanUp, forgetProcess, temporaryDirectory, watchProcess } from '../support/cleanup.ts';
import { RedisServer } from '../support/redis-server.ts';
import { type Ran, runCommand } from '../support/run-command.ts';
import { environmentOf } from '../support/service.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** A row of an import. */
export const memberOf = (loyaltyId: string, more: object = {}) => ({
  programmeId: 'coffee-club',
  loyaltyId,
  status: 'active',
  grants: [],
  ...more,
});

class Workplace {
  readonly redis: RedisServer;
  readonly directory: string = temporaryDirectory();
  /** A configuration in the place of the tests' own one. */
  config: string | undefined;

  constructor(redis: RedisServer) {
    this.redis = redis;
  }

  path(name: string): string {
    return join(this.directory, name);
  }

  write(name: string, lines: readonly unknown[]): string {
    const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
    writeFileSync(this.path(name), text);
    return this.path(name);
  }

  /** A file of NDJSON as values, sorted as text, since an export has no order. */
  read(name: string): unknown[] {
    if (!existsSync(this.path(name))) return [];
    return readFileSync(this.path(name), 'utf8')
      .split('\n')
      .filter(Boolean)
      .sort()
      .map((line) => JSON.parse(line));
  }

  spawn(args: readonly string[]): ChildProcess {
    const command = ['packages/tools/src/loyalty.ts', 'members', ...args];
    const child = spawn(process.execPath, command, { cwd: ROOT, env: this.#env() });
    const pid = child.pid as number;
    watchProcess(pid);
    child.once('close', () => forgetProcess(pid));
    return child;
  }

  #env(): Record<string, string> {
    const own = environmentOf({ redisUrl: this.redis.url }, this.directory);
    return this.config === undefined ? own : { ...own, LOYALTY_CONFIG: this.config };
  }

  async run(args: readonly string[], input = ''): Promise<Ran> {
    if (input === '') return runCommand(['members', ...args], this.#env());
    const child = this.spawn(args);
    child.stdin!.end(input);
    const printed = Promise.all([text(child.stdout!), text(child.stderr!)]);
    const [code] = (await once(child, 'close')) as [number | null];
    const [stdout, stderr] = await printed;
    return { code, stdout, stderr };
  }
}

/** An empty Redis and an empty directory for every test of a file. */
export function useWorkplace(): { readonly place: Workplace } {
  const stage = {} as { place: Workplace };
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await RedisServer.launch();
  });
  beforeEach(async () => {
    await redis.client.flushall();
    stage.place = new Workplace(redis);
  });
  afterAll(async () => {
    await redis.stop();
    cleanUp();
  });
  return stage;
}
