/**
 * Builds the image by the steps of the Dockerfile in a Debian 13 of its own, and proves it: `npm run test:image`. Needs root
 * and Debian's packages; elsewhere it says so and ends well. With paths of tests, `npm run test:image -- test/e2e`, these
 * run inside that Debian too, on its Node and its Redis; with `--valkey` before them on its Valkey.
 */
import '../../scripts/own-programs.mjs';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderTable } from '../../packages/tools/src/terminal/table.ts';
import { ROOT } from '../architecture/source.ts';
import { basketOf, saleOf } from '../support/baskets.ts';
import { Caller, patiently } from '../support/caller.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { freePorts } from '../support/free-ports.ts';
import { RedisServer } from '../support/redis-server.ts';
import { until } from '../support/wait.ts';
import { findObstacle, provideBase } from './base.ts';
import { buildImage, type Image, sizeOf } from './build.ts';
import { Container } from './container.ts';
import { run } from './shell.ts';
import { runSuiteInside } from './suite.ts';

const START_PATIENCE_MS = 60_000;
const MEGABYTE = 1e6;

interface Stage {
  readonly image: Image;
  readonly redis: RedisServer;
  readonly ports: { readonly calls: number; readonly ops: number };
  readonly volume: string;
  readonly env: Readonly<Record<string, string>>;
}

const say = (line: string): void => console.log(`image: ${line}`);

async function main(args: readonly string[]): Promise<void> {
  const server = args.includes('--valkey') ? 'valkey' : 'redis';
  const tests = args.filter((word) => word !== '--valkey');
  const obstacle = findObstacle();
  if (obstacle !== undefined) return say(`not tested here, because ${obstacle}`);
  const base = provideBase(say);
  const place = temporaryDirectory();
  const image = step('the steps of the Dockerfile', () =>
    buildImage(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'), base, place),
  );
  const [calls, ops, redisPort] = (await freePorts(3)) as [number, number, number];
  // As compose.yaml has it.
  const redis = await RedisServer.launch(['--port', String(redisPort), '--appendfsync', 'always']);
  const env = { REDIS_URL: `redis://127.0.0.1:${redisPort}`, PORT: String(calls), OPS_PORT: String(ops) };
  const stage: Stage = { image, redis, ports: { calls, ops }, volume: join(place, 'data'), env };
  try {
    const startMs = await proveContainer(stage);
    const sizes = { all: sizeOf(image.root), base: sizeOf(base) };
    const rows = [
      ['Debian and Node, MB', Math.round(sizes.base / MEGABYTE)],
      ['service and packages, MB', Math.round((sizes.all - sizes.base) / MEGABYTE)],
      ['from start to ready, ms', Math.round(startMs)],
    ];
    console.log(renderTable(['image', ''], rows));
  } finally {
    await redis.stop();
  }
  if (tests.length > 0)
    step(`${tests.join(' ')} inside, on ${server}`, () => runSuiteInside(base, place, server, tests));
}

function step<T>(what: string, work: () => T): T {
  say(what);
  return work();
}

/** Starts, calls, kills and stops the container. Returns how long the first start took. */
async function proveContainer(stage: Stage): Promise<number> {
  const { redis } = stage;
  let container = new Container(stage.image, stage);
  const startedAt = performance.now();
  try {
    await untilReady(stage, container);
    const startMs = performance.now() - startedAt;
    say('ready: read only, no root, no capability');
    const caller = callerOf(stage);
    const basket = basketOf([{}], { loyaltyId: 'test-member-20' });
    const answer = await caller.basket(basket);
    expect('a basket is applied', answer.json<{ status: string }>().status, 'applied');
    expect('the health check', container.checkHealth(), 0);

    step('the conformance kit', () => runKit(stage));

    say('kill -9, and a start on the same data');
    await container.stop('SIGKILL');
    container = new Container(stage.image, stage);
    await untilReady(stage, container);
    const replay = await callerOf(stage).basket(basket);
    expect('the answer after it', [replay.isReplayed, replay.text], [true, answer.text]);
    const sale = await caller.sale(saleOf(basket.calculationId));
    expect('the sale', sale.json<{ result: string }>().result, 'recorded');

    say('Redis killed, and back');
    await redis.kill();
    await until('the service to be red', async () => (await readiness(stage)) === 503, START_PATIENCE_MS);
    await redis.start();
    await untilReady(stage, container);
    const after = await patiently(() => caller.basket(basket));
    expect('the answer after it', [after.isReplayed, after.text], [true, answer.text]);

    const { code } = await container.stop('SIGTERM');
    expect('the exit code after SIGTERM', code, 0);
    return startMs;
  } catch (error) {
    console.error(container.output.join('').split('\n').slice(-20).join('\n'));
    throw error;
  } finally {
    await container.stop('SIGKILL');
  }
}

function callerOf({ ports, volume }: Stage): Caller {
  const secret = readFileSync(join(volume, 'secret'), 'utf8').trim();
  return new Caller(`http://127.0.0.1:${ports.calls}`, { secret });
}

async function readiness({ ports }: Stage): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${ports.ops}/readyz`).catch(() => undefined);
  await answer?.arrayBuffer();
  return answer?.status ?? 0;
}

async function untilReady(stage: Stage, container: Container): Promise<void> {
  await until(
    'the container to be ready',
    async () => {
      if (container.hasEnded) throw new Error('the container has ended');
      return (await readiness(stage)) === 200;
    },
    START_PATIENCE_MS,
  );
}

function runKit({ ports, volume }: Stage): void {
  const target = ['--base-url', `http://127.0.0.1:${ports.calls}`, '--secret-file', join(volume, 'secret')];
  const place = ['--venue', 'oslo-central', '--bax', '500123'];
  run(process.execPath, ['packages/tools/src/loyalty.ts', 'conformance', ...target, ...place], { cwd: ROOT });
}

function expect(what: string, found: unknown, wanted: unknown): void {
  const [one, other] = [found, wanted].map((value) => JSON.stringify(value));
  if (one !== other) throw new Error(`${what}: found ${one}, expected ${other}`);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(`image: ${(error as Error).message}`);
  process.exitCode = 1;
} finally {
  cleanUp();
}
