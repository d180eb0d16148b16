/** Every malformed shape of JSON is 400 at once and never 500; what JSON allows beyond the schema is ignored safely. */
import { expect, test } from 'vitest';
import { basketOf, saleOf } from '../support/baskets.ts';
import { BASKET_PATH, bytesOf, SALE_PATH } from '../support/caller.ts';
import { useSharedService } from '../support/shared-service.ts';
import type { AppliedBody } from '../support/wire.ts';

const stage = useSharedService();

const GOOD = JSON.stringify(basketOf());
const withName = (name: string) => GOOD.replace('"Product 1"', name);

const malformed: [string, string | Buffer][] = [
  ['nothing', ''],
  ['a blank', ' '],
  ['null', 'null'],
  ['true', 'true'],
  ['an array', '[]'],
  ['an array of a basket', `[${GOOD}]`],
  ['a string', '"x"'],
  ['a number', '17'],
  ['an open brace', '{'],
  ['a closing brace', '}'],
  ['an empty object', '{}'],
  ['cut short', GOOD.slice(0, -1)],
  ['cut in the middle', GOOD.slice(0, GOOD.length >> 1)],
  ['a trailing comma', `${GOOD.slice(0, -1)},}`],
  ['a comment', `/* x */${GOOD}`],
  ['a line comment', `${GOOD}// x`],
  ['single quotes', GOOD.replaceAll('"', "'")],
  ['bare names', GOOD.replace('"currency"', 'currency')],
  ['NaN', GOOD.replace('"quantity":1', '"quantity":NaN')],
  ['Infinity', GOOD.replace('"quantity":1', '"quantity":Infinity')],
  ['1e999', GOOD.replace('"quantity":1', '"quantity":1e999')],
  ['a leading zero', GOOD.replace('"quantity":1', '"quantity":01')],
  ['a leading point', GOOD.replace('"quantity":1', '"quantity":.5')],
  ['a trailing point', GOOD.replace('"quantity":1', '"quantity":1.')],
  ['a plus sign', GOOD.replace('"quantity":1', '"quantity":+1')],
  ['hexadecimal', GOOD.replace('"quantity":1', '"quantity":0x1')],
  ['a byte order mark', `\ufeff${GOOD}`],
  ['two documents', GOOD + GOOD],
  ['trailing bytes', `${GOOD}x`],
  ['a trailing NUL', `${GOOD}\0`],
  ['a leading NUL', `\0${GOOD}`],
  ['100,000 brackets', '['.repeat(100_000)],
  ['100,000 braces', '{"a":'.repeat(50_000)],
  ['a raw line feed in a string', withName('"a\nb"')],
  ['a raw control character in a string', withName('"a\u0001b"')],
  ['an unknown escape', withName('"\\x41"')],
  ['half an escape', withName('"\\u00"')],
  ['UTF-16', Buffer.from(GOOD, 'utf16le')],
  ['UTF-16 with its mark', Buffer.from(`\ufeff${GOOD}`, 'utf16le')],
  ['a lone continuation byte', bytesAt(0x80)],
  ['an overlong slash', bytesAt(0xc0, 0xaf)],
  ['a surrogate in UTF-8', bytesAt(0xed, 0xa0, 0x80)],
  ['a code point too high', bytesAt(0xf5, 0x80, 0x80, 0x80)],
  ['a sequence cut off', bytesAt(0xe2, 0x82)],
  ['latin1', Buffer.from(withName('"Blåbær"'), 'latin1')],
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
  ['blanks around', (text) => ` \r\n\t${text}\n `],
  ['fields in another order', (text) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(text)).reverse()))],
  ['unknown fields', (text) => text.replace('{', '{"unknown":{"deep":[null,1e5]},')],
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

test('a lone surrogate, escaped, is answered in valid UTF-8', async () => {
  const text = JSON.stringify(basketOf()).replace('"Product 1"', '"\\ud800 x"');
  const answer = await stage.caller.send(BASKET_PATH, text);
  expect([200, 400]).toContain(answer.status);
});

test('a sale event ignores unknown fields too', async () => {
  const text = JSON.stringify(saleOf(basketOf().calculationId)).replace(
    '{',
    '{"__proto__":{"status":"failed"},"x":null,',
  );
  expect((await stage.caller.send(SALE_PATH, bytesOf(text))).status).toBe(200);
});
