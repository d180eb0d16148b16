/**
 * Measures the cost of the caller's half: CPU time of a basket call through the client and through a bare undici
 * request, per call, in one process and in turns, against a server in a process of its own.
 */
import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { judgeAnswer } from '../packages/client/src/answer.ts';
import { type BasketRequest, LoyaltyClient, memoryStore } from '../packages/client/src/index.ts';
import { requestOf } from '../packages/client/src/request.ts';
import { applyTwentyPercent } from '../packages/conformance/src/double/honest.ts';
import { ARTICLES, basketOf } from '../packages/simulator/src/goods.ts';
import { Command, runCommandLine, running } from '../packages/tools/src/command-line/strict.ts';
import { renderTable } from '../packages/tools/src/terminal/table.ts';
import { readNumber } from './options.ts';

const SECRET = Buffer.alloc(32, 7);
const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };
const PATH = '/v1/pos/basket';
const ID_PLACE = '00000000-0000-4000-8000-000000000000';
const MICROBENCH_CALLS = 20_000;

if (process.send) await serve(JSON.parse(process.argv[2]!) as string);
else {
  const command = new Command('node bench/client.ts')
    .description("what the caller's half costs beside a bare undici request, in CPU time a call")
    .option('--lines <n>', 'of the basket', '20')
    .option('--calls <n>', 'calls a round', '2000')
    .option('--rounds <n>', 'rounds, in turns', '12')
    .option('--parallel <n>', 'calls at once', '8')
    .action(
      running(
        'bench/client.ts',
        async (given: ClientArguments) => {
          await main(given);
          return 0;
        },
        1,
      ),
    );
  await runCommandLine(command, 'bench/client.ts', process.argv.slice(2));
}

interface ClientArguments {
  readonly lines: string;
  readonly calls: string;
  readonly rounds: string;
  readonly parallel: string;
}

/**
 * Runs in the child: answers every basket with the same answer under the ID of its key, as cheaply as node:http can.
 */
async function serve(answer: string): Promise<void> {
  const [before = '', after = ''] = answer.split(ID_PLACE);
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, JSON_HEADERS);
      response.end(before + String(request.headers['idempotency-key']) + after);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.send!((server.address() as AddressInfo).port);
  process.once('disconnect', () => process.exit());
}

async function main(given: ClientArguments): Promise<void> {
  const lines = readNumber('--lines', given.lines)!;
  const calls = readNumber('--calls', given.calls)!;
  const rounds = readNumber('--rounds', given.rounds)!;
  const parallel = readNumber('--parallel', given.parallel)!;
  const template = templateOf(lines);
  const answer = JSON.stringify(applyTwentyPercent(template));
  const child = fork(import.meta.filename, [JSON.stringify(answer)]);
  const [port] = (await once(child, 'message')) as [number];
  const origin = `http://127.0.0.1:${port}`;
  const pool = new Pool(origin, { connections: parallel, pipelining: 1 });
  const client = await LoyaltyClient.open({
    baseUrl: origin,
    secret: SECRET,
    outbox: memoryStore(),
    connections: parallel,
  });
  const nextBasket = (): BasketRequest => ({ ...template, calculationId: randomUUID() });
  const contestants = {
    'bare undici: stringify, request, text': async () => void (await bare(pool, nextBasket())),
    'bare undici, and JSON.parse': async () => void JSON.parse(await bare(pool, nextBasket())),
    'the client': async () => {
      const outcome = await client.calculateBasket(nextBasket());
      if (outcome.status !== 'applied') throw new Error(`the client says ${JSON.stringify(outcome)}`);
    },
  };
  const cpuUs = await measure(contestants, { calls, rounds, parallel });
  await client.close();
  await pool.close();
  child.disconnect();
  report(lines, JSON.stringify(template).length, cpuUs, partsOf(template, answer));
}

function templateOf(lines: number): BasketRequest {
  const items = Array.from({ length: lines }, (_, index) => {
    const article = ARTICLES[index % ARTICLES.length]!;
    return { article, quantity: article.isWeighed ? 0.345 : (index % 3) + 1 };
  });
  const place = { venueId: 'oslo-central', cashRegisterId: 'till-1', baxId: '500123', currency: 'NOK' };
  const requestedAt = '2026-11-21T12:00:00+01:00';
  return basketOf(items, { calculationId: ID_PLACE, loyaltyId: 'member', requestedAt, place, supersedes: undefined });
}

async function bare(pool: Pool, basket: BasketRequest): Promise<string> {
  const headers = { ...JSON_HEADERS, 'idempotency-key': basket.calculationId, 'x-request-id': randomUUID() };
  const { body } = await pool.request({ path: PATH, method: 'POST', headers, body: JSON.stringify(basket) });
  return body.text();
}

/**
 * Measures CPU microseconds of this process per call: the median over the rounds, in which the contestants take turns.
 */
async function measure(
  contestants: Readonly<Record<string, () => Promise<void>>>,
  { calls, rounds, parallel }: { readonly calls: number; readonly rounds: number; readonly parallel: number },
): Promise<Map<string, number>> {
  const samples = new Map(Object.keys(contestants).map((name) => [name, [] as number[]]));
  for (let round = -2; round < rounds; round += 1) {
    for (const [name, call] of Object.entries(contestants)) {
      const before = process.cpuUsage();
      let left = calls;
      await Promise.all(
        Array.from({ length: parallel }, async () => {
          while (left-- > 0) await call();
        }),
      );
      const { user, system } = process.cpuUsage(before);
      // The first rounds compile the code.
      if (round >= 0) samples.get(name)!.push((user + system) / calls);
    }
  }
  return new Map([...samples].map(([name, values]) => [name, median(values)]));
}

/** Measures the client's own parts separately, in CPU microseconds a call. */
function partsOf(template: BasketRequest, answer: string): Map<string, number> {
  const body = Buffer.from(JSON.stringify(template));
  const received = { status: 200, headers: JSON_HEADERS, body: Buffer.from(answer) };
  const call = { path: PATH, calculationId: template.calculationId, body };
  return new Map([
    ['sign and set headers', timeOf(() => requestOf(call, SECRET, ID_PLACE, Date.now()))],
    ['JSON.parse of the answer', timeOf(() => JSON.parse(received.body.toString()))],
    ['judge the answer, JSON.parse included', timeOf(() => judgeAnswer(template, received, () => undefined))],
  ]);
}

function timeOf(work: () => unknown): number {
  for (let count = 0; count < MICROBENCH_CALLS; count += 1) work();
  const before = process.cpuUsage();
  for (let count = 0; count < MICROBENCH_CALLS; count += 1) work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / MICROBENCH_CALLS;
}

function report(
  lines: number,
  bytes: number,
  cpuUs: ReadonlyMap<string, number>,
  parts: ReadonlyMap<string, number>,
): void {
  const [, parsed = 0, whole = 0] = [...cpuUs.values()];
  const validation = parts.get('judge the answer, JSON.parse included')! - parts.get('JSON.parse of the answer')!;
  const rows = [...cpuUs].map(([name, us]) => [name, us.toFixed(1), (us / parsed).toFixed(3)]);
  rows.push([
    'the client without validation',
    (whole - validation).toFixed(1),
    ((whole - validation) / parsed).toFixed(3),
  ]);
  process.stdout.write(`Basket of ${lines} lines, ${bytes} bytes\n\n`);
  process.stdout.write(renderTable(['CPU per call', 'µs', 'ratio'], rows));
  const partRows = [...parts, ['validation alone', validation] as const].map(([name, us]) => [name, us.toFixed(1)]);
  process.stdout.write(`\n${renderTable(['of the client', 'µs'], partRows)}`);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}
