/** The document against the contract: the same fields, nothing left undescribed, nothing pointing nowhere. */

import * as requests from '@loyalty/contract/basket-request';
import * as answers from '@loyalty/contract/basket-response';
import { ERRORS } from '@loyalty/contract/errors';
import { RESPONSE_HEADERS } from '@loyalty/contract/headers';
import { SaleEvent } from '@loyalty/contract/sale';
import * as scalars from '@loyalty/contract/scalars';
import { describe, expect, test } from 'vitest';
import { FIELD_DESCRIPTIONS, SCHEMA_DESCRIPTIONS } from '../../packages/console/src/openapi/descriptions.ts';
import { BASKET_EXAMPLES, SALE_EXAMPLES } from '../../packages/console/src/openapi/examples.ts';
import { at, document, faultsOf, type Node, operationAt, resolve } from './support.ts';

const schemas = at('/components/schemas') as Record<string, Node>;

interface ObjectSchema {
  readonly properties: Readonly<Record<string, Node>>;
  readonly required: readonly string[];
}

/** Objects of the contract under their names; typebox keeps plain JSON Schema in them. */
const contract = Object.entries({ ...requests, ...answers, SaleEvent })
  .filter(([, value]) => (value as Node).type === 'object')
  .map(([name, value]) => [name, value as unknown as ObjectSchema] as const);
expect(contract.length).toBeGreaterThan(10);

const BOUNDS = 'enum const minimum maximum exclusiveMinimum minLength maxLength minItems maxItems'.split(' ');

/** Fields of answers whose values may be added to (interface, section 9). */
const GROWING = ['reason'];

test('every list of values and every constant has a type, wherever it stands', () => {
  const typeless: string[] = [];
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    if (('enum' in value || 'const' in value) && !('type' in value)) typeless.push(path);
    for (const [name, entry] of Object.entries(value)) if (name !== 'examples') visit(entry, `${path}/${name}`);
  };
  visit(document, '');
  expect(typeless).toEqual([]);
});

test('an answer with a reason of tomorrow fits, one without a reason does not', () => {
  const { reason: _, ...without } = BASKET_EXAMPLES.noBenefit.answer;
  expect(faultsOf('BasketResponse', { ...without, reason: 'full_moon' })).toEqual([]);
  expect(faultsOf('BasketResponse', without)).not.toEqual([]);
  // Answers stay open for fields to come, too.
  expect(faultsOf('BasketResponse', { ...BASKET_EXAMPLES.noBenefit.answer, aFieldToCome: 1 })).toEqual([]);
});

test('a transaction is no member: its ID has a type of its own', () => {
  const { properties } = schemas.SaleEvent as { properties: Record<string, Node> };
  expect(properties.transactionId).toMatchObject({ $ref: '#/components/schemas/TransactionId' });
  expect(schemas.TransactionId).toMatchObject({ type: 'string', minLength: 1 });
  expect(schemas.LoyaltyId).toMatchObject({ type: 'string', minLength: 1 });
});

describe.each(contract)('%s', (name, schema) => {
  const documented = schemas[name] as Node & { properties: Record<string, Node>; required: string[] };

  test('has the same fields, required and optional', () => {
    expect(Object.keys(documented.properties).sort()).toEqual(Object.keys(schema.properties).sort());
    expect([...documented.required].sort()).toEqual([...schema.required].sort());
  });

  test('has every field described, with the same bounds', () => {
    for (const [field, original] of Object.entries(schema.properties)) {
      expect([field, typeof documented.properties[field]?.description]).toEqual([field, 'string']);
      const named = resolve(documented.properties[field] as Node);
      // A field that may grow lists the known values, and then any text.
      const [written = named, ...open] = (named.anyOf ?? []) as Node[];
      expect([field, open]).toEqual([field, GROWING.includes(field) ? [{ type: 'string' }] : []]);
      for (const keyword of BOUNDS) {
        expect([field, keyword, written[keyword]]).toEqual([field, keyword, original[keyword]]);
      }
      // The service's validator takes a list of values without a type; generators need one.
      const type = original['type'] ?? ('enum' in original ? 'string' : undefined);
      expect([field, 'type', written['type']]).toEqual([field, 'type', type]);
    }
  });
});

test('every scalar of the contract is a schema of its own', () => {
  for (const name of Object.keys(scalars)) expect(schemas).toHaveProperty(name);
  expect(schemas.Percent).toMatchObject({ minimum: 0, maximum: 100, 'x-maximum-decimals': 2 });
  expect(faultsOf('Uuid', 'ABCDEF01-0000-4000-8000-000000000000')).not.toEqual([]);
});

test('no description speaks of a field or a schema that does not exist', () => {
  for (const name of Object.keys(SCHEMA_DESCRIPTIONS)) expect(schemas).toHaveProperty(name);
  for (const [name, fields] of Object.entries(FIELD_DESCRIPTIONS)) {
    const { properties } = schemas[name] as { properties: object };
    for (const field of Object.keys(fields)) expect(properties).toHaveProperty(field);
  }
});

test('every reference leads somewhere, and every component is referred to', () => {
  const found: string[] = JSON.stringify(document).match(/#\/components\/[\w/-]+/g) ?? [];
  for (const reference of found) expect(() => at(reference)).not.toThrow();
  const kinds = at('/components') as Record<string, Record<string, Node>>;
  const unused = Object.entries(kinds)
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, named]) => Object.keys(named).map((name) => `#/components/${kind}/${name}`))
    .filter((reference) => !found.includes(reference));
  expect(unused).toEqual([]);
});

test('every code of the catalogue stands under its status, with an example', () => {
  const responses = Object.values(at('/components/responses') as Record<string, Node>);
  const shown = responses.flatMap((response) => {
    const content = (response.content as Record<string, Node>)['application/json'] as Node;
    return Object.values(content.examples as Record<string, { value: { error: { code: string } } }>);
  });
  expect([...new Set(shown.map(({ value }) => value.error.code))].sort()).toEqual(Object.keys(ERRORS).sort());
  for (const { value } of shown) expect(faultsOf('Error', value)).toEqual([]);
  const statuses = Object.keys(operationAt('/v1/pos/basket').responses as object);
  expect(statuses).toEqual(['200', '400', '401', '404', '405', '409', '413', '422', '429', '500', '503']);
});

test('every response header of the contract is documented', () => {
  const documented = Object.keys(at('/components/headers'));
  const own: string[] = Object.values(RESPONSE_HEADERS).filter((name) => name !== RESPONSE_HEADERS.contentType);
  expect(documented.sort()).toEqual([...own].sort());
});

test('every example fits its schema', () => {
  for (const { request, answer } of Object.values(BASKET_EXAMPLES)) {
    expect(faultsOf('BasketRequest', request)).toEqual([]);
    expect(faultsOf('BasketResponse', answer)).toEqual([]);
  }
  for (const { request, answer } of Object.values(SALE_EXAMPLES)) {
    expect(faultsOf('SaleEvent', request)).toEqual([]);
    expect(faultsOf('SaleAnswer', answer)).toEqual([]);
  }
});

test('the rules of the sale event are in the schema', () => {
  const event = { calculationId: SALE_EXAMPLES.finalised.request.calculationId };
  expect(faultsOf('SaleEvent', { ...event, status: 'cancelled' })).toEqual([]);
  expect(faultsOf('SaleEvent', { ...event, status: 'applied' })).not.toEqual([]);
  expect(faultsOf('SaleEvent', { ...event, status: 'failed', transactionId: 't' })).not.toEqual([]);
  expect(
    faultsOf('SaleEvent', { ...event, status: 'applied', transactionId: 't', failureReason: 'timeout' }),
  ).not.toEqual([]);
});

test('the document names the page that has every rule in words', () => {
  expect((document.info as { description: string }).description).toContain('docs/interface.md');
});
