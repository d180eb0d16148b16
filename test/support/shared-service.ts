/**
 * One service and one Redis for all files of a test process that need none of their own: a start costs more than most files.
 * Each file finds Redis as it was right after the start, and its own configuration in force.
 */
import { afterAll, beforeAll } from 'vitest';
import { expectFewRefusals } from './caller.ts';
import { keepForNextFiles } from './cleanup.ts';
import { type Configuration, configurationOf } from './configuration.ts';
import { RedisServer } from './redis-server.ts';
import { Service, type Stage } from './service.ts';

/** The token of the operations port; files of `test/ops` send it. */
const OPS_TOKEN = 'an-operator-of-the-tests';

/** What a Redis held at a moment, by key. */
export type Contents = ReadonlyMap<string, { readonly content: Buffer; readonly lifetimeMs: number }>;

interface Shared {
  readonly redis: RedisServer;
  readonly service: Service;
  /** What Redis held right after the start, by key. */
  readonly contents: Contents;
}

let shared: Promise<Shared> | undefined;

/**
 * The stage of a test file that neither ends nor pauses the service or its Redis, sets no environment variable, and reads
 * neither what the service logs at its start nor the absolute value of a counter: for these there is `useService`.
 */
export function useSharedService(configuration: Configuration = configurationOf()): Stage {
  const stage = {} as Stage;
  beforeAll(async () => {
    shared ??= startShared();
    const { redis, service, contents } = await shared;
    await restoreContents(redis, contents);
    await service.configure(configuration);
    service.forgetOutput();
    Object.assign(stage, { redis, service, caller: service.newCaller() });
  });
  afterAll(() => {
    const { service, caller } = stage;
    // The next file starts another one; this one has failed already.
    if (!service?.isAlive) shared = undefined;
    service?.closeCallers();
    service?.expectNoSecretWritten();
    expectFewRefusals(caller);
  });
  return stage;
}

async function startShared(): Promise<Shared> {
  const redis = await RedisServer.launch();
  const service = await Service.start({ redisUrl: redis.url, env: { OPS_TOKEN } });
  keepForNextFiles(redis.pid, redis.directory);
  keepForNextFiles(service.pid, service.dataDirectory);
  return { redis, service, contents: await readContents(redis) };
}

export async function readContents({ client }: RedisServer): Promise<Contents> {
  const contents = new Map<string, { content: Buffer; lifetimeMs: number }>();
  for (const key of await client.keys('*')) {
    const [content, lifetimeMs] = [await client.dumpBuffer(key), await client.pttl(key)];
    if (content) contents.set(key, { content, lifetimeMs: Math.max(0, lifetimeMs) });
  }
  return contents;
}

/** Not by FLUSHALL, after which the service takes its data for lost. */
export async function restoreContents({ client }: RedisServer, contents: Contents): Promise<void> {
  const later = (await client.keys('*')).filter((key) => !contents.has(key));
  if (later.length > 0) await client.unlink(...later);
  for (const [key, { content, lifetimeMs }] of contents) await client.restore(key, lifetimeMs, content, 'REPLACE');
}
