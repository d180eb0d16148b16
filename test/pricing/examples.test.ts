import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BENEFIT_SCHEMAS } from '../../src/programme/benefit-schema.ts';
import { loadEnvironment } from '../../src/programme/load.ts';
import { buildBasket } from './support/basket.ts';
import { readExamples } from './support/examples.ts';
import { expectApplied, priceFully } from './support/price.ts';

const examples = readExamples('docs/benefits.md');
const staging = readFileSync('config/staging.yaml', 'utf8');
const products = loadEnvironment(staging, 'config/staging.yaml').venues[0]!.products;

describe('docs/benefits.md', () => {
  it('has a worked example of every kind', () => {
    const kinds = examples.flatMap(({ benefits }) => benefits.map(({ kind }) => kind));
    expect(new Set(kinds)).toEqual(new Set(BENEFIT_SCHEMAS.keys()));
  });

  it.each(examples)('works $title out as the page says', ({ benefits, programme, lines, answer }) => {
    const basket = buildBasket([...lines]);
    const decision = expectApplied(
      basket,
      priceFully(basket, benefits, { policies: programme, products: [...products.values()] }),
    );
    expect(decision).toMatchObject(answer);
  });

  it.each(examples)('loads the benefits of $title from a configuration', ({ benefits, programme }) => {
    const text = staging.replace(/^ {4}benefits:\n[\s\S]*?(?=^ {2}- programmeId: harbour)/m, () => {
      const more = Object.entries(programme).map(([name, value]) => `    ${name}: ${JSON.stringify(value)}\n`);
      return `${more.join('')}    benefits: ${JSON.stringify(benefits)}\n\n`;
    });
    expect(text).not.toBe(staging);
    const programmes = loadEnvironment(text.replace(/^members:[\s\S]*/m, ''), 'example').programmes;
    expect(programmes[0]!.benefits).toHaveLength(benefits.length);
  });
});
