/**
 * The mutator against the whole kit: a proxy before the real service makes the same change in every answer that it fits, the
 * kit runs, and something has to fail. Slow, so a command: `.toolchain/bin/node packages/conformance/test/judge/live.ts 100 1`
 * draws a hundred kinds of changes by seed 1. Ends with 0 when at least 99 in a hundred that are no permitted ones were found.
 */

import { Random } from '../../../../packages/simulator/src/random.ts';
import { cleanUp } from '../../../../test/support/cleanup.ts';
import { RedisServer } from '../../../../test/support/redis-server.ts';
import { Service } from '../../../../test/support/service.ts';
import { Command, runCommandLine } from '../../../tools/src/command-line/strict.ts';
import { type Exchange, isRecord, parseJson } from '../../src/kit/exchange.ts';
import { type Outgoing, type Passing, type Plant, PlantingProxy } from '../planting-proxy.ts';
import { runKit } from '../run-kit.ts';
import { isPermitted, type Mutation, mutationsOf } from './mutator.ts';

const LEAST_FOUND = 0.99;
/** Mutating a large answer in every way takes longer than the kit waits for it. */
const MOST_BYTES = 20_000;
/** The same changes of the same answer every time. */
const CHANGES_SEED = 7;
/** Further away than any answer, so that "more than waited" is more than the kit waits. */
const WAITED_MS = 5_000;
/** Headers of the service's library, of which the interface says nothing. */
const FOREIGN_HEADER = /header uWebSockets: /;

const command = new Command('live.ts')
  .description('changes of answers, one kind at a time in every answer of a whole run of the kit')
  .argument('[plants]', 'so many kinds', '100')
  .argument('[seed]', 'of the choice', '1')
  .action(async (plants: string, seed: string) => {
    process.exitCode = await play(Number(plants), new Random(Number(seed)));
  });
await runCommandLine(command, 'live', process.argv.slice(2));

async function play(plants: number, random: Random): Promise<number> {
  const redis = await RedisServer.launch();
  const service = await Service.start({ redisUrl: redis.url });
  const [secret = ''] = service.secrets;
  const proxy = await PlantingProxy.start(service.baseUrl, secret);
  try {
    const run = () => failuresOf(proxy.baseUrl, secret);
    const kinds = new Set<string>();
    proxy.set(noting(kinds));
    const complaints = await run();
    if (complaints.length > 0) throw new Error(`the honest service fails: ${complaints.join(', ')}`);
    const chosen = new Set<string>();
    while (chosen.size < Math.min(plants, kinds.size)) chosen.add(random.pick([...kinds]));
    const missed: string[] = [];
    for (const kind of chosen) {
      proxy.set(planting(kind));
      if ((await run()).length > 0) continue;
      missed.push(kind);
      process.stdout.write(`not found: ${kind}\n`);
    }
    process.stdout.write(`${chosen.size - missed.length} of ${chosen.size} found, of ${kinds.size} kinds\n`);
    return missed.length > (1 - LEAST_FOUND) * chosen.size ? 1 : 0;
  } finally {
    await proxy.stop();
    await service.stop();
    await redis.stop();
    cleanUp();
  }
}

/** The checks that failed; without those of response times, which a busy machine fails too. */
async function failuresOf(baseUrl: string, secret: string): Promise<string[]> {
  try {
    const { results } = await runKit(baseUrl, secret, ['--member-limited', 'member-single', '--timing-calls', '1']);
    const failed = results.filter(({ outcome, name }) => outcome === 'failed' && !name.startsWith('timings.'));
    return failed.map(({ name }) => name);
  } catch (error) {
    return [(error as Error).message];
  }
}

/** Collects every kind of change that would be a violation. */
function noting(kinds: Set<string>): Plant {
  return async (passing, { forward }) => {
    const answer = await forward(passing);
    for (const [kind, mutation] of changesOf(passing, answer)) {
      if (!isPermitted(mutation) && !FOREIGN_HEADER.test(kind)) kinds.add(kind);
    }
    return answer;
  };
}

/** Makes the first change of a kind in every answer that it fits. */
function planting(wanted: string): Plant {
  return async (passing, { forward }) => {
    const answer = await forward(passing);
    for (const [kind, { exchange }] of changesOf(passing, answer)) {
      if (kind !== wanted) continue;
      const { status, headers, bytes } = exchange;
      return { status, headers: headers.map(([name, value]) => [name, value]), bytes };
    }
    return answer;
  };
}

function* changesOf(passing: Passing, answer: Outgoing): Generator<[kind: string, mutation: Mutation]> {
  const exchange = exchangeOf(passing, answer);
  if (!exchange) return;
  for (const mutation of mutationsOf(exchange, new Random(CHANGES_SEED))) {
    yield [`${exchange.endpoint} ${exchange.status} ${mutation.what}`, mutation];
  }
}

/** Undefined for what the mutator does not take: large answers, and those that are not JSON. */
function exchangeOf({ path, method, headers, bytes }: Passing, answer: Outgoing): Exchange | undefined {
  const body = parseJson(answer.bytes);
  if (!isRecord(body) || answer.bytes.length > MOST_BYTES) return undefined;
  const request = parseJson(bytes);
  // Only a basket whose lines are as they should be has changes that keep its sums.
  const isChanged = 'lines' in body && !(isRecord(request) && Array.isArray(request['lines']));
  if (isChanged) return undefined;
  return {
    endpoint: path === '/v1/pos/basket' ? 'basket' : path === '/v1/pos/sale' ? 'sale' : 'other',
    ...{ path, method, request, body, requestId: headers['x-request-id'], roundTripMs: WAITED_MS },
    ...{ status: answer.status, headers: answer.headers, bytes: answer.bytes },
  };
}
