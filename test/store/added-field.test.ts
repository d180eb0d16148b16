/**
 * The interface gets a field: two builds on one Redis, of which the later one adds fields to every answer. Each replays what
 * the other has answered, byte for byte, for baskets of every size.
 */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT } from '../architecture/source.ts';
import { basketOf } from '../support/baskets.ts';
import { BASKET_PATH } from '../support/caller.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { configurationOf } from '../support/configuration.ts';
import { RedisServer } from '../support/redis-server.ts';
import { Service } from '../support/service.ts';
import { newSecret, signatureOf } from '../support/signer.ts';
import { until } from '../support/wait.ts';
import type { BasketBody } from '../support/wire.ts';

/** The later build's own lines: a field on every answer, on every line (with an object in it), and among the totals. */
const CHANGES: readonly { readonly file: string; readonly from: string; readonly to: string }[] = [
  {
    ...{
      file: 'packages/engine/src/answer/render.ts',
      from: "if (status === 'member_not_found') return { calculationId, status };",
    },
    to: "if (status === 'member_not_found') return { calculationId, note: 'new', status } as never;",
  },
  {
    ...{
      file: 'packages/engine/src/answer/render.ts',
      from: 'return { calculationId, status, reason: content.reason, ...label };',
    },
    to: "return { calculationId, note: 'new', status, reason: content.reason, ...label } as never;",
  },
  {
    ...{ file: 'packages/engine/src/answer/render.ts', from: 'return { calculationId, status, ...label, ...footer,' },
    to: "return { calculationId, status, ...label, note: 'new', ...footer,",
  },
  {
    ...{ file: 'packages/engine/src/answer/render.ts', from: 'total };\n}' },
    to: 'vat: total / 5, total } as never;\n}',
  },
  {
    ...{ file: 'packages/engine/src/answer/render-line.ts', from: '  out.quantity = cut ?' },
    to: "  Object.assign(out, { hint: { of: [line.name, null], text: 'new' } });\n  out.quantity = cut ?",
  },
  {
    ...{ file: 'packages/contract/src/basket-response.ts', from: 'additionalProperties: false' },
    to: 'additionalProperties: true',
  },
];
const NEW_FIELDS = ['"note":"new"', '"hint":{', '"vat":'];

const secrets = [newSecret()];
let redis: RedisServer;
let before: Service;
let later: Service;

beforeAll(async () => {
  redis = await RedisServer.launch();
  const common = { configuration: configurationOf(), redisUrl: redis.url, secrets };
  before = await Service.start(common);
  later = await Service.start({ ...common, root: laterBuild() });
});
afterAll(async () => {
  for (const service of [before, later]) if (service?.isAlive) await service.stop();
  await redis?.stop();
  cleanUp();
});

/** A copy of the project with the changes. */
function laterBuild(): string {
  const root = temporaryDirectory();
  for (const name of ['src', 'workers', 'packages', 'config', 'package.json']) {
    cpSync(join(ROOT, name), join(root, name), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  for (const { file, from, to } of CHANGES) {
    const source = readFileSync(join(root, file), 'utf8');
    expect(source, file).toContain(from);
    writeFileSync(
      join(root, file),
      source.replaceAll(from, () => to),
    );
  }
  return root;
}

interface Given {
  readonly bytes: string;
  readonly isReplay: boolean;
}

/** Sends a basket, and again while it is refused because the machine stands still. */
function ask(service: Service, basket: BasketBody): Promise<Given> {
  const body = Buffer.from(JSON.stringify(basket));
  return until('an answer', async () => {
    const answer = await fetch(service.baseUrl + BASKET_PATH, {
      method: 'POST',
      body,
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'POS-Signature': signatureOf(secrets[0]!, body),
        'Idempotency-Key': basket.calculationId,
      },
    });
    const bytes = await answer.text();
    if (answer.status === 503) return undefined;
    expect([answer.status, bytes]).toEqual([200, bytes]);
    return { bytes, isReplay: answer.headers.get('Idempotent-Replayed') === 'true' };
  });
}

const lines = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `Blåbær ${at} 🫐` }));
const BASKETS: Readonly<Record<string, () => BasketBody>> = {
  'one line': () => basketOf(),
  'twenty lines': () => basketOf(lines(20)),
  'two hundred lines, which a thread renders again': () => basketOf(lines(200)),
  'a text with half a surrogate pair': () => basketOf([{ name: 'Half a \ud83d' }]),
  'a basket that is unchanged': () => basketOf([{ noDiscount: true }]),
  'a member that nobody knows': () => basketOf([{}], { loyaltyId: 'nobody-knows' }),
};

test.each(Object.keys(BASKETS))(
  '%s: an answer without the fields replays under the build that adds them',
  async (name) => {
    const basket = BASKETS[name]!();
    const first = await ask(before, basket);
    expect(first.isReplay).toBe(false);
    expect(await ask(later, basket)).toEqual({ bytes: first.bytes, isReplay: true });
    expect(first.bytes).not.toContain('"note"');
  },
);

test.each(Object.keys(BASKETS))('%s: an answer with the fields replays under both builds', async (name) => {
  const basket = BASKETS[name]!();
  const first = await ask(later, basket);
  expect(first.isReplay).toBe(false);
  for (const service of [later, before]) {
    expect(await ask(service, basket)).toEqual({ bytes: first.bytes, isReplay: true });
  }
  expect(first.bytes).toContain('"note":');
  if (name === 'twenty lines') for (const field of NEW_FIELDS) expect(first.bytes).toContain(field);
});
