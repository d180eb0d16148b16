/**
 * No secret, signature, token or loyalty ID leaves the service but in the answer that is due to its caller: calls of every
 * kind with recognisable values, then a search of everything that the process wrote and served.
 */
import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { basketOf, saleOf } from '../support/baskets.ts';
import { BASKET_PATH, bytesOf, type CallOptions, SALE_PATH } from '../support/caller.ts';
import { configurationOf, memberOf, SINGLE_USE, TWENTY } from '../support/configuration.ts';
import { useService } from '../support/service.ts';
import { newSecret, signatureOf } from '../support/signer.ts';
import { sleep, until } from '../support/wait.ts';

const LOYALTY_ID = 'QzLoyaltyZq-4711-ÆØÅ';
const STRANGER_ID = 'QzStrangerZq-0815';
const SECRETS = [newSecret(), newSecret()];
const BEARER = `QzBearerZq${newSecret()}`;
const OPS_TOKEN = `QzOpsZq${newSecret()}`;
const SPOILED_TOKEN = `QzSpoiledZq${newSecret()}`;

const configuration = configurationOf({
  programme: { benefits: [TWENTY, SINGLE_USE] },
  members: [memberOf(LOYALTY_ID, ['twenty', 'single-use'])],
});
const stage = useService({
  isPatient: false,
  configuration,
  secrets: SECRETS,
  env: { LOG_LEVEL: 'trace', LOYALTY_BEARER_TOKENS: BEARER, OPS_TOKEN },
});

/** What a text must not hold: each value as it is and as a log or a page may have written it. */
function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    createHash('sha256').update(bytes).digest('hex'),
  ];
}

const guarded = new Map<string, string[]>([
  ['loyalty ID', formsOf(LOYALTY_ID)],
  ["stranger's loyalty ID", formsOf(STRANGER_ID)],
  ['bearer token', formsOf(BEARER)],
  ['operations token', formsOf(OPS_TOKEN)],
  ['spoiled token', formsOf(SPOILED_TOKEN)],
  ...SECRETS.map((secret, index): [string, string[]] => [
    `secret ${index + 1}`,
    [...formsOf(secret), Buffer.from(secret, 'hex').toString('base64').replace(/=+$/, '')],
  ]),
]);
const signatures: string[] = [];

function expectSilent(where: string, text: string): void {
  for (const [what, forms] of [...guarded, ['signature', signatures] as const]) {
    for (const form of forms)
      expect(text.includes(form), `${where} holds the ${what} (${form.slice(0, 12)}…)`).toBe(false);
  }
}

async function send(path: string, body: unknown, options: CallOptions = {}): Promise<void> {
  const bytes = bytesOf(body);
  const signature = signatureOf(options.secret ?? stage.caller.secret, bytes, options.t);
  signatures.push(...[...signature.matchAll(/v1=([0-9a-f]{64})/g)].map(([, digest]) => digest as string));
  const headers = { 'POS-Signature': signature, ...options.headers };
  const answer = await stage.caller.send(path, bytes, { ...options, headers });
  expectSilent(`the answer ${answer.status} of ${path}`, answer.text);
  for (const [name, value] of answer.headers) expectSilent(`the header ${name}`, value);
}

const offer = () => basketOf([{}], { loyaltyId: LOYALTY_ID });

/** Returns the ID of a calculation that was answered and sold. */
async function sendEverything(): Promise<string> {
  const basket = offer();
  await send(BASKET_PATH, basket);
  await send(BASKET_PATH, basket);
  await send(BASKET_PATH, { ...basket, currency: 'EUR' });
  await send(SALE_PATH, saleOf(basket.calculationId));
  await send(SALE_PATH, saleOf(basket.calculationId, 'cancelled'));
  await send(SALE_PATH, saleOf(randomUUID(), 'failed', { failureReason: 'other' as never }));
  await send(BASKET_PATH, basketOf([{}], { loyaltyId: STRANGER_ID }));
  // As a value where it does not belong: errors name the field, and may quote no more than what is no secret.
  for (const field of ['currency', 'calculationId', 'requestedAt', 'supersedesCalculationId', 'lines', 'totals']) {
    await send(BASKET_PATH, { ...offer(), [field]: LOYALTY_ID }, { headers: { 'Idempotency-Key': randomUUID() } });
  }
  await send(BASKET_PATH, { ...offer(), context: { ...offer().context, venueId: LOYALTY_ID } });
  await send(BASKET_PATH, { ...offer(), totals: { ...offer().totals, total: 1 } });
  await send(BASKET_PATH, `{"loyaltyId":"${LOYALTY_ID}"`);
  await send(BASKET_PATH, offer(), { secret: newSecret() });
  await send(BASKET_PATH, offer(), { t: 1 });
  await send(BASKET_PATH, offer(), { headers: { 'POS-Signature': null, Authorization: `Bearer ${BEARER}` } });
  await send(BASKET_PATH, offer(), { headers: { 'POS-Signature': null, Authorization: `Bearer ${SPOILED_TOKEN}` } });
  await send(BASKET_PATH, offer(), { headers: { 'Idempotency-Key': STRANGER_ID, 'User-Agent': STRANGER_ID } });
  await send(`/v1/${STRANGER_ID}?member=${STRANGER_ID}`, offer());
  return basket.calculationId;
}

/** The operations port, asked by a stranger, with a wrong token and with the right one. */
async function askOperations(calculationId: string): Promise<void> {
  const pages = ['/', '/healthz', '/readyz', '/metrics', '/openapi.json', '/openapi-admin.json', '/docs', '/live'];
  const administration = ['/admin', '/admin/configuration', `/admin/calculations/${calculationId}`];
  for (const token of [undefined, SPOILED_TOKEN, OPS_TOKEN]) {
    const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
    const ask = (path: string, more: RequestInit = {}) =>
      fetch(`${stage.service.opsUrl}${path}`, { headers, signal: AbortSignal.timeout(5_000), ...more });
    for (const path of [...pages, ...administration, `/${STRANGER_ID}`]) {
      const answer = await ask(path);
      expectSilent(`GET ${path} (${answer.status})`, await answer.text());
    }
    const explained = await ask('/admin/explain', { method: 'POST', body: JSON.stringify(offer()) });
    expect(explained.status).toBe(token === OPS_TOKEN ? 200 : 401);
    expectSilent('the explanation', await explained.text());
    // What an operator is told of a member names the member; the log of it must not.
    const told = await ask(`/admin/programmes/coffee-club/members/${encodeURIComponent(LOYALTY_ID)}`);
    expect((await told.text()).includes(LOYALTY_ID)).toBe(token === OPS_TOKEN);
  }
}

/** Every file below a folder. */
function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

test('the search finds what it is to find', () => {
  for (const value of [LOYALTY_ID, BEARER, `"${encodeURIComponent(LOYALTY_ID)}"`, `x${SECRETS[1]}`]) {
    expect(() => expectSilent('a text', `before ${value} after`)).toThrow();
  }
});

test('calls of all kinds, a lost Redis and a refused reload leave nothing that is secret', async () => {
  const calculationId = await sendEverything();
  await stage.redis.kill();
  await until('Redis to be missed', async () => (await stage.service.readiness()) === 503);
  await send(BASKET_PATH, offer());
  await stage.redis.start();
  await stage.service.untilReady();
  await send(BASKET_PATH, offer());

  const file = join(stage.service.dataDirectory, 'environment.yaml');
  const spoiled = { ...configuration, members: [{ ...memberOf(LOYALTY_ID), status: 'asleep' }] };
  for (const text of [JSON.stringify(spoiled), JSON.stringify(configuration)]) {
    const before = stage.service.output.length;
    writeFileSync(file, text);
    await stage.service.kill('SIGHUP');
    await until('a word about the reload', () =>
      stage.service.output.slice(before).some((line) => line.includes('"reload')),
    );
  }

  await askOperations(calculationId);
  await sleep(100);
  expect(stage.service.log.filter(({ msg }) => msg === 'request').length).toBeGreaterThan(20);
  expectSilent('the log', stage.service.output.join('\n'));
  for (const path of filesOf(stage.service.dataDirectory)) {
    if (path !== file) expectSilent(path, readFileSync(path, 'utf8'));
  }
});
