/**
 * Bytes that no JSON writer sends are 400 at once and never 500, and names that JavaScript treats specially change nothing. Other
 * bodies that are no basket are in the kit and in test/corpus.
 */
import { expect, test } from 'vitest';
import { basketOf, saleOf } from '../support/baskets.ts';
import { BASKET_PATH, bytesOf, SALE_PATH } from '../support/caller.ts';
import { useSharedService } from '../support/shared-service.ts';
import type { AppliedBody } from '../support/wire.ts';

const stage = useSharedService();

const GOOD = JSON.stringify(basketOf());
const withName = (name: string) => GOOD.replace('"Product 1"', name);

const malformed: [string, string | Buffer][] = [
  ['a comment', `/* x */${GOOD}`],
  ['NaN', GOOD.replace('"quantity":1', '"quantity":NaN')],
  ['a trailing NUL', `${GOOD}\0`],
  ['100,000 brackets', '['.repeat(100_000)],
  ['100,000 braces', '{"a":'.repeat(50_000)],
  ['a raw line feed in a string', withName('"a\nb"')],
  ['UTF-16 with its mark', Buffer.from(`\ufeff${GOOD}`, 'utf16le')],
  ['a lone continuation byte', bytesAt(0x80)],
  ['an overlong slash', bytesAt(0xc0, 0xaf)],
  ['a surrogate in UTF-8', bytesAt(0xed, 0xa0, 0x80)],
  ['a code point too high', bytesAt(0xf5, 0x80, 0x80, 0x80)],
  ['a sequence cut off', bytesAt(0xe2, 0x82)],
];

/** The good basket with these raw bytes as its product's name. */
function bytesAt(...bytes: number[]): Buffer {
  const [before = '', after = ''] = GOOD.split('Product 1');
  return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
}

test.each(malformed)('%s is 400', async (_, body) => {
  for (const path of [BASKET_PATH, SALE_PATH]) {
    const started = performance.now();
    const answer = await stage.caller.send(path, body);
    expect([answer.status, answer.code]).toEqual([400, 'invalid_request']);
    // A parser that backtracks would take minutes; the bound leaves room for a busy machine.
    expect(performance.now() - started).toBeLessThan(5_000);
  }
});

const tolerated: [string, (text: string) => string][] = [
  ['10,000 unknown fields', (text) => text.replace('{', `{${manyFields(10_000)}`)],
  ['__proto__ in the basket', (text) => text.replace('{', '{"__proto__":{"currency":"EUR"},')],
  ['constructor and prototype', (text) => text.replace('{', '{"constructor":{"prototype":{"status":"applied"}},')],
  ['__proto__ in a line', (text) => text.replace('"lines":[{', '"lines":[{"__proto__":{"noDiscount":true},')],
  ['toString as a field', (text) => text.replace('{', '{"toString":1,"hasOwnProperty":2,')],
  ['escapes for plain letters', (text) => text.replace('"currency"', '"\\u0063urrency"')],
];

function manyFields(count: number): string {
  return Array.from({ length: count }, (_, index) => `"f${index}":${index},`).join('');
}

test.each(tolerated)('%s: accepted', async (_, change) => {
  const answer = await stage.caller.send(BASKET_PATH, change(JSON.stringify(basketOf())));
  expect([answer.status, answer.json().status]).toEqual([200, 'applied']);
});

test('what came with __proto__ has not reached the next call', async () => {
  const answer = await stage.caller.basket(basketOf());
  expect(answer.json<AppliedBody>().totals.loyaltyDiscountTotal).toBe(2_000);
});

test('a name sent twice is read as one of the two or refused, and the key guards against the other', async () => {
  const [first, second] = [basketOf(), basketOf()];
  const text = JSON.stringify(first).replace('{', `{"calculationId":"${second.calculationId}",`);
  const answers = await Promise.all(
    [first, second].map(({ calculationId }) =>
      stage.caller.send(BASKET_PATH, text, { headers: { 'Idempotency-Key': calculationId } }),
    ),
  );
  expect(answers.filter((answer) => answer.status === 200).length).toBeLessThanOrEqual(1);
  for (const answer of answers) expect([200, 400]).toContain(answer.status);
});

test('a sale event ignores unknown fields too', async () => {
  const text = JSON.stringify(saleOf(basketOf().calculationId)).replace(
    '{',
    '{"__proto__":{"status":"failed"},"x":null,',
  );
  expect((await stage.caller.send(SALE_PATH, bytesOf(text))).status).toBe(200);
});
