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
    ['kind: unit_price', 'kind: unit_prise', '/programmes/0/benefits/7/kind'],
    ['unitPrice: 2900', 'unitPrices: 2900', '/programmes/0/benefits/7'],
    ['percent: 15', 'percent: 150', '/programmes/0/benefits/1/percent'],
    ['status: paused', 'status: pausd', '/members/7/status'],
  ])('refuses %j → %j', (from, to, path) => {
    expect(staging).toContain(from);
    expect(faults(staging.replace(from, to))).toContain(path);
  });
});
