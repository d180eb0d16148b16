/** A loading Redis answers between two parts of its file alone: a silence is part of loading until it lasts. */
import { afterAll, expect, test } from 'vitest';
import { cleanUp } from '../support/cleanup.ts';
import { RedisServer, rewriteFile } from '../support/redis-server.ts';
import { sleep, until } from '../support/wait.ts';
import { watchRedis } from './watched.ts';

afterAll(cleanUp);

test('loading: a server that is silent for a while is still loading, and for long is hung', async () => {
  const server = await RedisServer.launch([
    '--key-load-delay',
    '50000',
    '--rdbcompression',
    'no',
    '--loading-process-events-interval-bytes',
    '1024',
  ]);
  const keys = Array.from({ length: 1_000 }, (_, count) => [`key:${count}`, 'x'.repeat(2_000)] as const);
  await server.client.mset(new Map(keys));
  await rewriteFile(server.client);
  await server.kill();
  // It loads for longer than this test takes.
  const started = server.start().catch(() => undefined);
  const { redisWatch, lines, close } = watchRedis(server.url);
  await until('the cause', () => redisWatch.trouble?.cause === 'loading');
  server.pause();
  try {
    // Two or three looks.
    await sleep(3_000);
    expect(redisWatch.reason).toMatch(/^loading \d+ %/);
    await until('the cause', () => redisWatch.trouble?.cause === 'no_answer');
  } finally {
    server.resume();
  }
  close();
  await server.kill();
  await started;
  expect(lines.flatMap(({ msg, cause }) => (msg === 'redis unreachable' ? [cause] : []))).toEqual([
    'loading',
    'no_answer',
  ]);
});
