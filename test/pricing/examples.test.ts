import { describe, expect, it } from 'vitest';
import { BENEFIT_SCHEMAS } from '../../src/programme/benefit-schema.ts';
import { readExamples, testExamples } from './support/examples.ts';

const examples = readExamples('docs/benefits.md');

describe('docs/benefits.md', () => {
  it('has a worked example of every kind', () => {
    const kinds = examples.flatMap(({ benefits }) => benefits.map(({ kind }) => kind));
    expect(new Set(kinds)).toEqual(new Set(BENEFIT_SCHEMAS.keys()));
  });

  testExamples(examples);
});
