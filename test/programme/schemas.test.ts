import { BasketRequest } from '@loyalty/contract/basket-request';
import { AppliedResponse, MemberNotFoundResponse, UnchangedResponse } from '@loyalty/contract/basket-response';
import { SaleEvent } from '@loyalty/contract/sale';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { BENEFIT_SCHEMAS } from '../../src/programme/benefit-schema.ts';
import { EnvironmentFile, MemberEntry } from '../../src/programme/schema.ts';

const ajv = new Ajv();
const contract = { BasketRequest, SaleEvent, AppliedResponse, UnchangedResponse, MemberNotFoundResponse };

/** The service compiles them unchecked, which makes its start faster. */
test.each([...Object.entries(contract), ...Object.entries({ EnvironmentFile, MemberEntry }), ...BENEFIT_SCHEMAS])(
  'the schema of %s is a sound one',
  (_, schema) => {
    ajv.validateSchema(schema);
    expect(ajv.errors ?? []).toEqual([]);
  },
);

test('a schema that is not sound is found', () => {
  expect(ajv.validateSchema({ type: 'text' })).toBe(false);
});
