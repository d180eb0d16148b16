/** docs/errors.md describes every code with an example that is provoked, and `error.docUrl` leads to a heading of it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { anchorOf, ERROR_FAMILIES, errorAnchor, type Family } from '@loyalty/contract/error-anchor';
import { ERRORS, type ErrorCode, TRANSPORT_STATUS } from '@loyalty/contract/errors';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ERROR_EXAMPLES } from '../../packages/console/src/openapi/error-examples.ts';
import { ROOT } from '../architecture/source.ts';
import { basketOf } from '../support/baskets.ts';
import { BASKET_PATH } from '../support/caller.ts';
import { drawn } from '../support/effort.ts';
import { useService } from '../support/service.ts';

const PAGE_URL = 'https://docs.example/loyalty/errors?version=1';
const stage = useService({ env: { DOCS_URL: PAGE_URL } });
const page = readFileSync(join(ROOT, 'docs', 'errors.md'), 'utf8');

/** As GitHub makes them of headings. */
const anchors = [...page.matchAll(/^##+ (.+)$/gm)].map(([, heading = '']) =>
  heading.replaceAll(':', '').replaceAll(' ', '-'),
);

/** The text below each heading. */
const sections = page.split(/^##+ /m).slice(1);

test('it has a heading for every code and every family', () => {
  const families: Partial<Record<ErrorCode, readonly Family[]>> = ERROR_FAMILIES;
  const expected = (Object.keys(ERRORS) as ErrorCode[]).flatMap((code) => [
    anchorOf(code),
    ...(families[code] ?? []).map((family) => anchorOf(code, family)),
  ]);
  expect(anchors).toEqual(expected);
});

test('below the heading of a code are the statuses that it may have', () => {
  for (const [code, { status }] of Object.entries(ERRORS)) {
    const statuses = code === 'invalid_request' ? [status, ...Object.values(TRANSPORT_STATUS)] : [status];
    expect(sections[anchors.indexOf(code)]).toMatch(
      new RegExp(`^${code}\\n\\n${statuses.join(', ')}\\. .+\\*\\*Do:\\*\\* `),
    );
  }
});

test('every example of an error stands under the heading that its docUrl leads to', () => {
  const provoked = Object.values(ERROR_EXAMPLES).map(({ body: { error } }) => ({ ...error, requestId: undefined }));
  for (const [index, text] of sections.entries()) {
    const { error } = JSON.parse(/```json\n(.+)\n```/.exec(text)?.[1] ?? '') as {
      error: { code: ErrorCode; details?: object };
    };
    expect(provoked).toContainEqual(error);
    const anchor = anchors[index] as string;
    // A code's own heading may show an example of one of its families.
    expect([anchor, errorAnchor(error).startsWith(anchor)]).toEqual([anchor, true]);
    if (anchor.includes('-')) expect(errorAnchor(error)).toBe(anchor);
  }
  for (const { body } of Object.values(ERROR_EXAMPLES)) expect(anchors).toContain(errorAnchor(body.error));
});

test('whatever the field, the anchor is there', () => {
  const field = fc.oneof(
    fc.string(),
    fc.jsonValue().map((value) => `/${JSON.stringify(value)}`),
    fc.constantFrom('/lines', '/lines/0/quantity', '/totals', '/toString', '/constructor/prototype', '/'),
  );
  const code = fc.constantFrom(...(Object.keys(ERRORS) as ErrorCode[]));
  fc.assert(
    fc.property(code, field, (chosen, named) =>
      anchors.includes(errorAnchor({ code: chosen, details: { field: named } })),
    ),
    drawn(1_000),
  );
});

test('with DOCS_URL every error says where it is described', async () => {
  const docUrlOf = (answer: { json: () => unknown }) => (answer.json() as { error: { docUrl?: string } }).error.docUrl;
  const body = basketOf();
  const answers = {
    'invalid_request-json': await stage.caller.send(BASKET_PATH, '{'),
    'invalid_request-headers': await stage.caller.basket(body, { headers: { 'Idempotency-Key': 'no ID' } }),
    'invalid_request-lines': await stage.caller.send(BASKET_PATH, {
      ...body,
      lines: [{ ...body.lines[0], noDiscount: 1 }],
    }),
    'arithmetic_mismatch-totals': await stage.caller.basket({ ...body, totals: { ...body.totals, total: 1 } }),
    invalid_signature: await stage.caller.basket(body, { headers: { 'POS-Signature': null } }),
    invalid_request: await stage.caller.send('/nowhere', body),
    unknown_currency: await stage.caller.basket({ ...body, currency: 'XXX' }),
  };
  for (const [anchor, answer] of Object.entries(answers)) expect(docUrlOf(answer)).toBe(`${PAGE_URL}#${anchor}`);
  const answered = await stage.caller.basket(body);
  expect([answered.status, answered.text.includes('docUrl')]).toEqual([200, false]);
});
