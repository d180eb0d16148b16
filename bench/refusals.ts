/**
 * `npm run bench:refusals`: CPU of a refused call against an accepted one, by the kind of refusal, and of an accepted one
 * against `JSON.parse` of its body. See docs/measurements/chain.md.
 */
import { createHmac, randomUUID } from 'node:crypto';
import { Command, runCommandLine, running } from '../src/tools/command-line/strict.ts';
import { createBaskets } from './load/baskets.ts';
import { createMessage, fillMessage, type Message } from './load/message.ts';
import { loyaltyIdOf, MEMBER_COUNT } from './load/mix.ts';
import { cpuTimeUs } from './machine/accounting.ts';
import { Contestant } from './machine/contestant.ts';
import { readNumber } from './options.ts';
import { median } from './pricing/measure.ts';
import { describeMachine } from './pricing/surroundings.ts';
import { type NextRequest, runLoop } from './refusals/loop.ts';
import { showNumber } from './report/spread.ts';
import { toText } from './report/table.ts';

const ROUNDS = 5;
const TURN_MS = 2500;
const WARM_UP_MS = 3000;
const CONNECTIONS = 32;
/** More calls at once than admission ever lets in at its start. */
const CROWD = 500;
/** The most answers of another kind, as a share: on a busy machine some calls miss their deadline. */
const MOST_STRANGERS = 0.05;
const BASKETS = 16;
const PARSES = 4000;
const SIGNATURE = 'POS-Signature';
const RATE_LIMIT = { sustained: 1, burst: 1 } as const;

const command = new Command('npm run bench:refusals --')
  .description('CPU of a refused call against an accepted one, and of an accepted one against JSON.parse of its body')
  .option('--rounds <n>', `rounds over everything that is compared (${ROUNDS})`)
  .action(
    running(
      'bench:refusals',
      async ({ rounds }: { readonly rounds?: string }) => {
        await main(readNumber('--rounds', rounds) ?? ROUNDS);
        return 0;
      },
      1,
    ),
  );
await runCommandLine(command, 'bench:refusals', process.argv.slice(2));

/** One kind of call: how it is made, and what it is answered. */
interface Kind {
  readonly name: string;
  readonly status: string;
  readonly service: Contestant;
  readonly connections: number;
  readonly next: NextRequest;
}

async function main(rounds: number): Promise<void> {
  for (const text of describeMachine(rounds)) console.log(text);
  const [older, newer] = ['a1'.repeat(32), 'b2'.repeat(32)] as const;
  const env = { LOYALTY_SECRETS: `${newer},${older}` };
  const services: Contestant[] = [];
  try {
    const open = await Contestant.start('service', { env });
    services.push(open);
    const limited = await Contestant.start('service', { env, rateLimit: RATE_LIMIT });
    services.push(limited);
    const bodies = createBaskets(BASKETS, 20, 1).map((basket) => JSON.stringify(basket));
    const kinds = kindsOf(open, limited, bodies, older);
    for (const kind of kinds) await runLoop(kind.service.url, kind.connections, WARM_UP_MS, kind.next);
    const figures = new Map<string, number[]>([
      ...kinds.map(({ name }) => [name, [] as number[]] as const),
      ['parse', []],
    ]);
    for (let round = 0; round < rounds; round += 1) {
      figures.get('parse')!.push(parseUs(bodies));
      for (const kind of kinds) figures.get(kind.name)!.push(await measure(kind, figures.get('200 accepted')!.at(-1)));
    }
    show(kinds, figures);
  } finally {
    for (const service of services) await service.stop();
  }
}

function kindsOf(open: Contestant, limited: Contestant, bodies: readonly string[], secret: string): Kind[] {
  const messages = bodies.map((body) => createMessage('/v1/pos/basket', body));
  const unknown = bodies.map((body) => createMessage('/v1/pos/nothing', body));
  const unsigned = bodies.map((body) => renamed(createMessage('/v1/pos/basket', body)));
  const tooLarge = Buffer.from(
    `POST /v1/pos/basket HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${300 * 1024}\r\n\r\n`,
  );
  const common = { service: open, connections: CONNECTIONS };
  return [
    { name: '200 accepted', status: '200', ...common, next: filled(messages, secret) },
    { name: '401 no signature', status: '401', ...common, next: filled(unsigned, secret) },
    { name: '401 another secret', status: '401', ...common, next: filled(messages, 'c3'.repeat(32)) },
    { name: '404 unknown path', status: '404', ...common, next: filled(unknown, secret) },
    { name: '413 too large', status: '413', ...common, next: (target) => tooLarge.copy(target) },
    {
      name: '429 rate limit',
      status: '429',
      service: limited,
      connections: CONNECTIONS,
      next: filled(messages, secret),
    },
    { name: '503 shed', status: '503', service: open, connections: CROWD, next: filled(messages, secret) },
  ];
}

/** A header that nobody knows in the place of the signature, of the same length. */
function renamed(message: Message): Message {
  message.bytes.write('X'.repeat(SIGNATURE.length), message.bytes.indexOf(SIGNATURE), 'latin1');
  return message;
}

function filled(messages: readonly Message[], secret: string): NextRequest {
  const key = Buffer.from(secret, 'hex');
  const timestamp = String(Math.floor(Date.now() / 1000) + 120);
  let sent = 0;
  return (target) => {
    const message = messages[sent % messages.length]!;
    sent += 1;
    const loyaltyId = loyaltyIdOf(sent % MEMBER_COUNT);
    const filling = { timestamp, signature: '0'.repeat(64), calculationId: randomUUID(), loyaltyId };
    const length = fillMessage(target, message, filling);
    const body = target.subarray(length - message.body.length, length);
    const signature = createHmac('sha256', key).update(`${timestamp}.`).update(body).digest('hex');
    target.write(signature, message.gaps.signature, 'latin1');
    return length;
  };
}

/** CPU-µs of the service per call of a kind. Accepted calls among them are taken off at their own price. */
async function measure({ name, status, service, connections, next }: Kind, acceptedUs = 0): Promise<number> {
  const before = cpuTimeUs(service.pid);
  const statuses = await runLoop(service.url, connections, TURN_MS, next);
  const spentUs = cpuTimeUs(service.pid) - before;
  const count = statuses.get(status) ?? 0;
  const others = [...statuses].filter(([other]) => other !== status);
  const strangers = others.reduce((sum, [other, times]) => (other === '200' ? sum : sum + times), 0);
  if (strangers > count * MOST_STRANGERS) throw new Error(`${name} was answered ${JSON.stringify([...statuses])}`);
  return (spentUs - (statuses.get('200') ?? 0) * (status === '200' ? 0 : acceptedUs)) / count;
}

/** CPU-µs of `JSON.parse` of a body, in this process and these minutes. */
function parseUs(bodies: readonly string[]): number {
  for (let warm = 0; warm < PARSES; warm += 1) JSON.parse(bodies[warm % bodies.length]!);
  const begun = process.cpuUsage();
  for (let run = 0; run < PARSES; run += 1) JSON.parse(bodies[run % bodies.length]!);
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / PARSES;
}

function show(kinds: readonly Kind[], figures: ReadonlyMap<string, readonly number[]>): void {
  const parse = median(figures.get('parse')!);
  const accepted = median(figures.get('200 accepted')!);
  const rows = kinds.map(({ name }) => {
    const costs = figures.get(name)!;
    const cost = median(costs);
    const spread = `${showNumber(Math.min(...costs))} … ${showNumber(Math.max(...costs))}`;
    return [name, showNumber(cost), spread, (cost / accepted).toFixed(3), (cost / parse).toFixed(2)];
  });
  const title = `CPU-µs of the service per call, 20 lines, two secrets; JSON.parse ${showNumber(parse)} µs`;
  const head = ['', 'median', 'best … worst', '÷ accepted', '× JSON.parse'];
  console.log(`\n${toText({ title, head, rows })}`);
}
