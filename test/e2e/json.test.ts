/**
 * Bytes that no JSON writer sends are 400 and never 500, names that JavaScript treats specially change nothing, and numbers are
 * read however JSON may write them. Other bodies that are no basket are in the kit and in test/corpus.
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
    const answer = await stage.caller.send(path, body);
    expect([answer.status, answer.code]).toEqual([400, 'invalid_request']);
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

test('a sale event ignores unknown fields too', async () => {
  const text = JSON.stringify(saleOf(basketOf().calculationId)).replace(
    '{',
    '{"__proto__":{"status":"failed"},"x":null,',
  );
  expect((await stage.caller.send(SALE_PATH, bytesOf(text))).status).toBe(200);
});

/** The basket of one line at 100.00, with one number written differently. */
function rewritten(from: string, to: string): string {
  const text = JSON.stringify(basketOf());
  if (!text.includes(from)) throw new Error(`nothing to rewrite: ${from}`);
  return text.replaceAll(from, to);
}

test.each([
  ['10e-1 for a quantity', '"quantity":1,', '"quantity":10e-1,'],
  ['1.0E+4 for money', ':10000', ':1.0E+4'],
  ['-0 for no money', '"loyaltyDiscountTotal":0', '"loyaltyDiscountTotal":-0'],
  ['0e5 for no money', '"existingLineDiscountAmount":0', '"existingLineDiscountAmount":0e5'],
])('%s is the same number', async (_, from, to) => {
  const answer = await stage.caller.send(BASKET_PATH, rewritten(from, to));
  expect([answer.status, answer.json<AppliedBody>().totals?.total]).toEqual([200, 8_000]);
  expect(answer.text).not.toMatch(/:-0/);
});

test.each([
  ['quantity -0', '"quantity":1,', '"quantity":-0,'],
  ['quantity that is 0 as a double', '"quantity":1,', '"quantity":1e-400,'],
  ['money 2^53 + 1', ':10000', ':9007199254740993'],
  ['money just beside a whole number', ':10000', ':10000.000000001'],
])('%s is 400', async (_, from, to) => {
  const answer = await stage.caller.send(BASKET_PATH, rewritten(from, to));
  expect([answer.status, answer.code]).toEqual([400, 'invalid_request']);
});
