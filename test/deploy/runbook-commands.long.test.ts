/**
 * Every command of the runbook is run as it stands there, against a service that has met what the page is about, and prints
 * what the page says. A command that this file does not know fails the test.
 */
import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../architecture/source.ts';
import { OPS_TOKEN } from '../ops/admin-client.ts';
import { BERGEN, basketOf as basketOfAnyTime, saleOf } from '../support/baskets.ts';
import { patiently } from '../support/caller.ts';
import { temporaryDirectory } from '../support/cleanup.ts';
import {
  type Benefit,
  configurationOf,
  memberOf,
  SINGLE_USE,
  singleUseMembers,
  TWENTY,
} from '../support/configuration.ts';
import { readingOf, scrape } from '../support/metrics.ts';
import { useService } from '../support/service.ts';
import { newSecret } from '../support/signer.ts';
import { sleep, until } from '../support/wait.ts';
import type { BasketBody } from '../support/wire.ts';
import { runInRunbook } from './runbook-shell.ts';

const HOLD_MS = 1_000;
/** Bundles that compete for the same lines, so that no choice of them is proven best. */
const PRODUCTS = 5;
const bundles = Array.from({ length: PRODUCTS }, (_, b): Benefit => {
  const items = [b, (b + 1) % PRODUCTS, (b + 2) % PRODUCTS].map((p) => ({
    appliesTo: { productIds: [`p${p}`] },
    quantity: 1,
  }));
  return { benefitId: `bundle-${b}`, kind: 'bundle_price', items, bundlePrice: 2_000 + 100 * b } as unknown as Benefit;
});
const HARD = Array.from({ length: 40 }, (_, i) => ({
  productId: `p${i % PRODUCTS}`,
  quantity: 1 + (i % 3),
  unitPrice: 1_000 + 37 * i,
}));

const configuration = configurationOf({
  deadline: 400,
  holdMinutes: HOLD_MS / 60_000,
  programme: { benefits: [TWENTY, SINGLE_USE, ...bundles] },
  moreMembers: [memberOf('hard'), ...singleUseMembers('guest', 2)],
  requestedAt: { pastHours: 2, aheadMinutes: 10 },
});
const stage = useService({
  configuration,
  isPatient: false,
  env: {
    ...{ PROCESSES: '2', INLINE_BYTES: '0', OPS_TOKEN },
    NODE_OPTIONS: `--import=${join(ROOT, 'test/faults/saboteur.mjs')}`,
  },
});

const basketOf = (words?: Parameters<typeof basketOfAnyTime>[0], more: Partial<BasketBody> = {}) =>
  basketOfAnyTime(words, { requestedAt: new Date().toISOString(), ...more });
/** One of the calls that were answered 200. */
const known = basketOf();

/** Sells a basket whose hold has ended, after another basket of its guest. */
async function sellLate(): Promise<void> {
  const { caller, service } = stage;
  const [late, winner] = [basketOf([{}], { loyaltyId: 'guest-0' }), basketOf([{}], { loyaltyId: 'guest-0' })];
  const expired = async () => readingOf(await scrape(service), 'loyalty_events_total', { event: 'hold_expired' }) ?? 0;
  const before = await expired();
  await patiently(() => caller.basket(late));
  await until('the hold to expire', async () => (await expired()) > before);
  await patiently(() => caller.basket(winner));
  for (const { calculationId } of [winner, late]) {
    const sold = await patiently(() => caller.sale(saleOf(calculationId)));
    expect(sold.json().result).toBe('recorded');
  }
}

/** Writes the configuration and waits until the reload has succeeded or been refused. */
async function reload(text: string): Promise<void> {
  const { service } = stage;
  const reloads = async () => readingOf(await scrape(service), 'loyalty_reloads_total') ?? 0;
  const before = await reloads();
  writeFileSync(join(service.dataDirectory, 'environment.yaml'), text);
  await service.kill('SIGHUP');
  await until('the reload', async () => (await reloads()) > before);
}

/** Commands of the page: the lines of its blocks, and its code spans that begin with a program or function of ours. */
function commandsOf(page: string): string[] {
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, lines]) => lines as string);
  const lines = blocks.flatMap((block) => block.split('\n').map((line) => line.replace(/ {2,}#.*$/, '').trim()));
  const prose = page.replace(/^```sh\n[\s\S]*?^```$/gm, '').replaceAll('\\|', '|');
  const spans = [...prose.matchAll(/`((?:log \||redis [A-Z-]|data |curl )[^`]*)`/g)].map(([, span]) =>
    span!.replace(/\s+/g, ' '),
  );
  return [...new Set([...lines, ...spans])].filter((line) => line !== '');
}

/** Runs a command in the shell of an operator who has sourced the page's file. */
function run(command: string, env: Record<string, string> = {}): string {
  const { service, redis } = stage;
  const LOG_FILE = join(service.dataDirectory, 'output.log');
  writeFileSync(LOG_FILE, `${service.output.join('\n')}\n`);
  const filled = command
    .replaceAll('<environment>', 'staging')
    .replaceAll('<user>', 'default')
    .replaceAll('<more>', '1gb');
  return runInRunbook(filled, {
    ...{ DATA_DIR: service.dataDirectory, LOG_FILE, OPS: service.opsUrl, BASE_URL: service.baseUrl, TOKEN: OPS_TOKEN },
    ...{ REDIS_URL: redis.url, ID: known.calculationId, ...env },
  });
}

/** What each command prints, by a part of the command; the first that fits counts. */
const PRINTED: readonly (readonly [command: string, output: RegExp])[] = [
  ['. deploy/prometheus/runbook.sh', /^$/],
  ['curl -s "$OPS/readyz"', /^\{"status":"ready","checks":\{"processes":"ok",.*"admission":"ok"\},"facts":\{/],
  [
    '^loyalty_(redis_up|ready|',
    /^loyalty_redis_up 1$[\s\S]*^loyalty_ready 1$|^loyalty_ready 1$[\s\S]*^loyalty_redis_up 1$/m,
  ],
  ["'^loyalty_requests_total'", /^loyalty_requests_total\{.*code="idempotency_conflict".*\} 1$/m],
  ['"level":"(error|fatal)"', /"level":"error".*"msg":"fault"/],
  ['"httpStatus":[45]', /^ +\d+ 503 {2}unavailable$[\s\S]*^ +1 409 {2}idempotency_conflict$/m],
  ['grep "$ID"', /^\{"level":"info".*"httpStatus":200.*\}\n.*"httpStatus":409/],
  ['"msg":"(redis .*|managed', /"msg":"redis refuses writes"[\s\S]*"msg":"process ended/],
  // Nobody reads the events of this service, and its few sales may be in other streams.
  ['XINFO GROUPS', /^(?:ERR no such key)?\s*$/],
  ['/admin/log-level', /^\{"level":"debug"\}\n$/],
  ['curl -sm 2 "$OPS/healthz"', /^\{"status":"ok",/],
  ['curl -si "$BASE_URL', /^HTTP\/1\.1 401 /],
  ['redis (unreachable|refuses writes)', /^\{.*"msg":"redis (unreachable|refuses writes)"\}\n$/],
  ['fields reason cause server', /^ +\d+ redis {2}out_of_memory {2}-$/m],
  ['fields reason phase cause', /^ +\d+ (redis|breaker|deadline) {2}\S+ {2}\S+$/m],
  ['fields durationMs phase phases requestId', /^[\d.]+ {2}\S+ {2}\{"[^}]+\} {2}[-0-9a-f]{36}$/m],
  ['fields durationMs phases venue', /^[\d.]+ {2}\{[^}]*"price":[^}]*\} {2}oslo-central {2}[-0-9a-f]{36}$/m],
  ['"msg":"request"\' | fields venue |', /^ +\d{2,} oslo-central$/m],
  ['"msg":"fault"', /"fault":"[^"]*sabotage: thrown inside the call[^"]*","msg":"fault"\}/],
  ['data ls -lt repair', /^-rw.* kept\.json$/m],
  ['data ls repair', /^kept\.json$/m],
  ['data tail -20 redis/redis.log', /^the last line of Redis$/m],
  [
    '"httpStatus":(400|422)',
    /^ +2 invalid_request {2}\/lines {2}oslo-central\n +1 venue_not_configured {2}\S+ {2}nowhere\n$/,
  ],
  ['fields venue gap', /^ +1 oslo-central {2}[1-9]\d*$/m],
  ['"status":"member_not_found"', /^ +1 bergen-quay$/m],
  ['"code":"idempotency_conflict"', new RegExp(`^${known.calculationId}  \\S+  [-0-9a-f]{36}\n$`)],
  ['fields clockOffsetSeconds venue terminal', /^ +1 -86[34]\d\d\S* {2}bergen-quay {2}\S+\n$/],
  ['"clockOff":true', /^bergen-quay {2}-86[34]\d\d\S*\n$/],
  ['"overRedeemed":[1-9]', /^[-0-9a-f]{36} {2}1\n$/],
  ['"late":true', /^([-0-9a-f]{36} {2}[-0-9a-f]{36}\n)+$/],
  ['"msg":"reload refused', /"reason":".*latencyBudget\.p95: found .*"msg":"reload refused/],
  ['"worker thread"', /"msg":"worker thread"\}/],
  ['process (ended|could not', /"msg":"process ended/],
  ['"process ended', /"signal":"SIGKILL".*"msg":"process ended/],
  ['"msg":"redis settings"', /appendfsync.*"msg":"redis settings"\}/],
  [
    'loyalty_file_descriptors_',
    /^loyalty_file_descriptors_open\S* \d+$[\s\S]*^loyalty_file_descriptors_limit\S* \d+$|^loyalty_file_descriptors_limit/m,
  ],
  ['ss -Htn', /^( +\d+ \S+\n)*$/],
  ['/admin/data/accept', /^\{.*\}/],
  ['redis PING', /^PONG\n$/],
  ['redis ACL GETUSER', /^flags\non$/m],
  ['redis CLIENT LIST', /name=loyalty/],
  ['redis SCRIPT KILL', /^NOTBUSY /],
  ['redis INFO replication', /^role:master/m],
  ['redis INFO server', /^uptime_in_seconds:\d+/m],
  ['redis INFO stats', /^latest_fork_usec:\d+/m],
  ['redis INFO commandstats', /^cmdstat_evalsha:/m],
  ['redis SLOWLOG GET 10', /^[\s\S]*$/],
  ['redis LATENCY DOCTOR', /latency/i],
  ['redis TIME', /^\d{10}\n\d+\n$/],
  ['redis --scan', /^loyalty:staging:member:\{/m],
  ['redis --bigkeys', /Biggest/],
  ['redis CONFIG REWRITE', /^(OK|ERR The server is running without a config file)/],
  ['redis CONFIG SET', /^OK\n$/],
  ['redis BGREWRITEAOF', /^Background append only file rewriting/],
  ['redis HSET loyalty:', /^[02]\n$/],
  ['redis DEL loyalty:', /^1\n$/],
];

const TIMES_AGAIN = 20;
const AGAIN_MS = 500;

/** These change what later commands look at. */
const LAST = /BGREWRITEAOF|HSET|DEL loyalty|CONFIG SET maxmemory/;

beforeAll(async () => {
  const { service, redis, caller } = stage;
  const send = (body: unknown) => caller.send('/v1/pos/basket', body);
  /** A busy machine may refuse any call once. */
  const answered = async (body: BasketBody, status = 200) =>
    until(`an answer ${status}`, async () => (await send(body)).status === status);
  await redis.client.config('SET', 'appendfsync', 'always');
  await answered(known);
  for (let count = 0; count < 12; count += 1) await answered(basketOf());
  await answered(basketOf(HARD, { loyaltyId: 'hard' }));
  await answered(basketOf([{}], { loyaltyId: 'nobody', context: BERGEN }));
  await answered(basketOf([{}], { requestedAt: new Date(Date.now() - 86_400_000).toISOString(), context: BERGEN }));
  for (let count = 0; count < 2; count += 1) await answered({ ...basketOf(), lines: [] }, 400);
  await answered(basketOf([{}], { context: { ...BERGEN, venueId: 'nowhere' } }), 422);
  await answered({ ...known, loyaltyId: 'member-plain' }, 409);
  await caller.basket(basketOf(), { secret: newSecret() });
  await sellLate();

  const logged = (message: string) => service.log.some(({ msg }) => String(msg).startsWith(message));
  await until('a thread to end', async () => {
    await send(basketOf([{ name: 'sabotage-uncaught' }]));
    return logged('worker thread');
  });
  // The last error is the one that the runbook's command shows.
  // A call may also fail with the thread that the one before it has ended.
  await until('a call to fail by itself', async () => {
    await answered(basketOf([{ name: 'sabotage-throw' }]), 500);
    return service.log.some(({ fault }) => String(fault).includes('thrown inside'));
  });
  const file = JSON.stringify(configuration);
  await reload(file.replace('"p95":150', '"p95":"soon"'));
  await reload(file);
  await redis.client.config('SET', 'appendfsync', 'everysec');
  await redis.client.config('SET', 'maxmemory', '1');
  await until('refusals by a full Redis', () => send(basketOf()).then(() => run('log | grep -c out_of_memory') > '1'));
  await until('the trouble to be logged', () => logged('redis refuses writes'));
  await redis.client.config('SET', 'maxmemory', '0');
  await until('its end to be logged', () => logged('redis takes writes again'));
  process.kill(service.gateways[0] as number, 'SIGKILL');
  for (const message of ['process ended', 'redis settings']) {
    await until(message, () => logged(message));
  }
  await service.untilReady();
  const folder = (name: string) => run(`mkdir -p "$DATA_DIR/${name}"`);
  folder('repair');
  folder('redis');
  writeFileSync(join(service.dataDirectory, 'repair/kept.json'), '{}');
  writeFileSync(join(service.dataDirectory, 'redis/redis.log'), 'the last line of Redis\n');
}, 120_000);

describe('deploy/prometheus/runbook.md', () => {
  const commands = commandsOf(readFileSync(join(ROOT, 'deploy/prometheus/runbook.md'), 'utf8'));
  const here = commands.filter((command) => !command.startsWith('WHERE=kubernetes'));
  const ordered = [...here.filter((command) => !LAST.test(command)), ...here.filter((command) => LAST.test(command))];

  test('has no command that is not run here, and none that this file describes is missing', () => {
    const fits = (command: string) => PRINTED.find(([part]) => command.includes(part));
    expect(commands.filter((command) => !fits(command))).toEqual([]);
    const used = new Set(commands.map(fits));
    expect(PRINTED.filter((row) => !used.has(row)).map(([part]) => part)).toEqual([]);
  });

  test.each(ordered)('%s', async (command) => {
    const [, output] = PRINTED.find(([part]) => command.includes(part)) ?? [];
    // The process that took another's place reports itself a moment later.
    let printed = run(command);
    for (let again = 0; again < TIMES_AGAIN && !output!.test(printed); again++) {
      await sleep(AGAIN_MS);
      printed = run(command);
    }
    expect(printed).toMatch(output!);
  });
});

test('a row of fields is of one line, whatever its texts', () => {
  const line = JSON.stringify({
    code: 'a',
    received: 'x "field":"wrong", y',
    field: '/l"i',
    phases: { worker: 1.5, price: 2 },
  });
  const bare = JSON.stringify({ code: 'b' });
  writeFileSync(join(stage.service.dataDirectory, 'lines'), `${line}\n${bare}\n`);
  expect(run('fields field code phases missing < "$DATA_DIR/lines"')).toBe(
    `${JSON.stringify('/l"i').slice(1, -1)}  a  {"worker":1.5,"price":2}  -\n-  b  -  -\n`,
  );
});

test('of a LOG_DIR the newest file is read, and more of them when asked for, compressed ones too', () => {
  const folder = temporaryDirectory();
  writeFileSync(join(folder, 'service.2026-11-22.1.log.gz'), gzipSync('{"msg":"before"}\n'));
  utimesSync(join(folder, 'service.2026-11-22.1.log.gz'), 1, 1);
  writeFileSync(join(folder, 'service.2026-11-23.1.log'), '{"msg":"today"}\n');
  const env = { LOG_DIR: folder, DATA_DIR: folder };
  expect(runInRunbook('log', env)).toBe('{"msg":"today"}\n');
  expect(runInRunbook('log | fields msg', { ...env, LOG_FILES: '2' })).toBe('today\nbefore\n');
});
