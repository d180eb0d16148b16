/** The schema for editors: the one in the folder is the one that the sources make, and it judges as the service does. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { BENEFIT_SCHEMAS } from '../../src/programme/benefit-schema.ts';
import { renderEditorSchema } from '../../src/programme/editor-schema.ts';
import { ROOT } from '../architecture/source.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const schema = read('config/schema.json');
const staging = read('config/staging.yaml');

/** Keywords and formats that no editor knows. */
const withoutOwnWords = (word: string, value: unknown) =>
  word === 'hundredths' || (word === 'format' && ['hours', 'moment'].includes(String(value))) ? undefined : value;

it('config/schema.json is what `npm run schema` writes', () => {
  expect(schema === renderEditorSchema(), 'stale: run `npm run schema`').toBe(true);
});

describe.each(['config/schema.json', 'docs/events.schema.json'])('the definitions of %s', (path) => {
  const document = JSON.parse(read(path)) as { readonly $defs: Readonly<Record<string, object>> };
  const references: string[] = [];
  /** The value with what it refers to in place of each reference. */
  const dereferenced = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(dereferenced);
    const { $ref, ...others } = value as Readonly<Record<string, unknown>>;
    if (typeof $ref !== 'string')
      return Object.fromEntries(Object.entries(value).map(([word, own]) => [word, dereferenced(own)]));
    // Editors ignore what stands beside a reference.
    expect([$ref, others]).toEqual([$ref, {}]);
    references.push($ref);
    return dereferenced(document.$defs[$ref.replace('#/$defs/', '')]);
  };

  it('are all referred to, and stand for what the service checks with', () => {
    dereferenced(document);
    expect(new Set(references)).toEqual(new Set(Object.keys(document.$defs).map((name) => `#/$defs/${name}`)));
    for (const [kind, own] of path.startsWith('config') ? BENEFIT_SCHEMAS : [])
      expect(dereferenced(document.$defs[kind])).toEqual(JSON.parse(JSON.stringify(own, withoutOwnWords)));
  });
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
    ['kind: unit_price', 'kind: unit_prise', '/kind'],
    ['unitPrice: 2900', 'unitPrices: 2900', '/programmes/0/benefits/'],
    ['percent: 15', 'percent: 150', '/percent'],
    ['status: paused', 'status: pausd', '/status'],
  ])('refuses %j → %j', (from, to, place) => {
    expect(staging).toContain(from);
    const found = faults(staging.replace(from, to));
    expect(
      found.every((path) => path.includes(place)),
      found.join(),
    ).toBe(true);
    expect(found.length).toBeGreaterThan(0);
  });
});
