import { describe, expect, it } from 'vitest';
import { readExamples, testExamples } from './support/examples.ts';

const recipes = readExamples('config/recipes.md');

describe('config/recipes.md', () => {
  it('holds many recipes, each with its own benefits', () => {
    expect(recipes.length).toBeGreaterThan(17);
    const ids = recipes.flatMap(({ benefits }) => benefits.map(({ benefitId }) => benefitId));
    expect(new Set(ids).size).toBe(ids.length);
  });

  testExamples(recipes);
});
