/** The tables of docs/interface.md against the contract: the same fields, required flags, codes, values and limits. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../../../test/architecture/source.ts';
import * as requests from '../src/basket-request.ts';
import { BasketLineOut, UNCHANGED_REASONS } from '../src/basket-response.ts';
import { ERRORS } from '../src/errors.ts';
import { REQUEST_HEADERS, RESPONSE_HEADERS } from '../src/headers.ts';
import * as limits from '../src/limits.ts';
import { FAILURE_REASONS, SALE_STATUSES, SaleEvent } from '../src/sale.ts';

const page = readFileSync(join(ROOT, 'docs/interface.md'), 'utf8');

/** The text below a heading, down to the next one. */
function below(heading: string): string {
  const [, text] = page.split(new RegExp(`^#{2,3} ${heading}$`, 'm'));
  if (text === undefined) throw new Error(`The page has no heading ${heading}.`);
  return text.split(/^#{2,3} /m, 1)[0]!;
}

type Row = Readonly<Record<string, string>>;

/** Every table's rows by the names of their columns. */
function rowsBelow(heading: string): Row[] {
  const tables = [...below(heading).matchAll(/^\|(.+)\|\n\|[ |-]+\|\n((?:\|.*\|\n)+)/gm)];
  return tables.flatMap(([, head, body]) => {
    const names = head!.split('|').map((name) => name.trim());
    return body!
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(1, -1).split('|'))
      .map((cells) => Object.fromEntries(names.map((name, at) => [name, cells[at]!.trim()])));
  });
}

describe('fields', () => {
  test.each<[string, { readonly properties: object; readonly required: readonly string[] }]>([
    ['BasketRequest', requests.BasketRequest],
    ['Context', requests.Context],
    ['BasketLine', requests.BasketLine],
    ['OrderDiscountAllocation', requests.OrderDiscountAllocation],
    ['OrderDiscount', requests.OrderDiscount],
    ['Post-sale event', SaleEvent],
  ])('%s: as in the contract, in its order, and required as there', (name, { properties, required }) => {
    const rows = rowsBelow(name).filter(({ field }) => field !== undefined);
    expect(rows.map(({ field }) => field)).toEqual(Object.keys(properties));
    expect(rows.filter((row) => row['required'] === 'yes').map(({ field }) => field)).toEqual(required);
  });

  test('Totals', () => {
    expect(rowsBelow('Totals').map(({ field }) => field)).toEqual(Object.keys(requests.Totals.properties));
  });

  test('BasketLineOut: what it adds to BasketLine', () => {
    const rows = rowsBelow('BasketLineOut');
    const own = Object.keys(BasketLineOut.properties).filter((name) => !(name in requests.BasketLine.properties));
    expect(rows.map(({ field }) => field)).toEqual([...own, 'orderLinePrice']);
    for (const { field, required } of rows) {
      expect([field, required === 'yes']).toEqual([field, (BasketLineOut.required as string[]).includes(field!)]);
    }
  });
});

test('statuses, reasons and failure reasons', () => {
  const event = below('Post-sale event');
  expect(event).toContain(SALE_STATUSES.map((status) => `\`${status}\``).join(', '));
  for (const reason of FAILURE_REASONS) expect(event).toContain(`\`${reason}\``);
  const reasons = rowsBelow('BasketResponse').flatMap(({ reason }) => reason ?? []);
  expect(reasons.map((reason) => reason.replaceAll('`', '')).toSorted()).toEqual([...UNCHANGED_REASONS].toSorted());
});

test('every code under its status', () => {
  const rows = rowsBelow('7. Errors').map((row) => [row['code']!.replaceAll('`', ''), Number(row['HTTP'])]);
  expect(rows).toEqual(Object.entries(ERRORS).map(([code, { status }]) => [code, status]));
});

test('every header', () => {
  const headers = rowsBelow('4. Endpoints').flatMap((row) => row['request header'] ?? row['response header'] ?? []);
  const { signature, idempotencyKey, requestId, contentType } = REQUEST_HEADERS;
  const { serverTiming, retryAfter, replayed } = RESPONSE_HEADERS;
  const named = headers.map((name) => name.toLowerCase());
  expect(named).toEqual(expect.arrayContaining([signature, idempotencyKey, requestId, contentType]));
  expect(headers).toEqual(expect.arrayContaining([RESPONSE_HEADERS.requestId, serverTiming, retryAfter, replayed]));
});

test('limits', () => {
  const text = below('8. Limits').replaceAll(',', '');
  for (const limit of [
    `1 to ${limits.MAX_LINES}`,
    `${limits.MAX_BODY_BYTES} bytes`,
    `${limits.MAX_TEXT_CHARACTERS} characters`,
    `${limits.MAX_FOOTER_CHARACTERS} characters`,
    `1 to ${limits.MAX_LOYALTY_ID_CHARACTERS} characters`,
    `${limits.CALLER_TIMEOUT_MS} ms`,
    `±${limits.CLOCK_WINDOW_SECONDS} s`,
  ])
    expect(text).toContain(limit);
  const scalars = below('Scalar types').replaceAll(',', '');
  expect(scalars).toContain(String(limits.MAX_MONEY));
  expect(scalars).toContain(`1 to ${limits.MAX_IDENTIFIER_CHARACTERS} characters`);
  expect(below('5. Authentication')).toContain(`at least ${limits.MIN_SECRET_BYTES} random bytes`);
});
