/** The schema for editors: the one in the folder is the one that the sources make, and it judges as the service does. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { renderEditorSchema } from '../../src/programme/editor-schema.ts';
import { ROOT } from '../architecture/source.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const schema = read('config/schema.json');
const staging = read('config/staging.yaml');

it('config/schema.json is what `npm run schema` writes', () => {
  expect(schema === renderEditorSchema(), 'stale: run `npm run schema`').toBe(true);
});

/** Where the staging file has an entry. */
const { programmes, members } = parse(staging) as {
  readonly programmes: readonly [{ readonly benefits: readonly { readonly benefitId: string }[] }];
  readonly members: readonly { readonly loyaltyId: string }[];
};
const benefitAt = (benefitId: string) =>
  `/programmes/0/benefits/${programmes[0].benefits.findIndex((own) => own.benefitId === benefitId)}`;
const memberAt = (loyaltyId: string) => `/members/${members.findIndex((own) => own.loyaltyId === loyaltyId)}`;

it('the first line of the staging file leads editors to it', () => {
  expect(staging.split('\n')[0]).toBe('# yaml-language-server: $schema=schema.json');
});

describe('an editor with the schema', () => {
  // Editors know no keywords of ours, and know the formats of JSON Schema.
  const ajv = new Ajv({ strict: true, strictTypes: false, allErrors: true, strictRequired: false });
  ajv.addFormat('date', /^\d{4}-\d\d-\d\d$/);
  const validate = ajv.compile(JSON.parse(schema) as object);
  const faults = (text: string) => {
    validate(parse(text, { merge: true }));
    return (validate.errors ?? []).filter(({ keyword }) => keyword !== 'if').map((error) => error.instancePath);
  };

  it('accepts the staging file, and each file of several', () => {
    expect(faults(staging)).toEqual([]);
    expect(faults('members: []')).toEqual([]);
  });

  it.each([
    ['burst: 200', 'bursts: 200', '/rateLimit'],
    ['kind: unit_price', 'kind: unit_prise', `${benefitAt('regular-coffee')}/kind`],
    ['unitPrice: 2900', 'unitPrices: 2900', benefitAt('regular-coffee')],
    ['percent: 15', 'percent: 150', `${benefitAt('gold-coffee')}/percent`],
    ['status: paused', 'status: pausd', `${memberAt('demo-paused')}/status`],
  ])('refuses %j → %j', (from, to, path) => {
    expect(staging).toContain(from);
    expect(faults(staging.replace(from, to))).toContain(path);
  });
});
