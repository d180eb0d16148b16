import { readFileSync } from 'node:fs';
import type { BasketLine, BasketRequest } from '@loyalty/contract/basket-request';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadEnvironment } from '../../../../src/programme/load.ts';
import type { BenefitDefinition, ProgrammeDefinition } from '../../src/definition.ts';
import { buildBasket, buildLine } from './basket.ts';
import { type Circumstances, expectApplied, priceFully } from './price.ts';

type WrittenLines = readonly Partial<BasketLine>[];
type WrittenBasket = Partial<Pick<BasketRequest, 'currency' | 'requestedAt'>> &
  Pick<Circumstances, 'member' | 'left' | 'language'> & { readonly lines: WrittenLines };

/**
 * A worked example of a page for operators: three fenced blocks marked `benefits` (a list, or a programme with one), `basket`
 * (a list of lines, or an object with them) and `answer`.
 */
export interface Example {
  readonly title: string;
  readonly benefits: readonly BenefitDefinition[];
  /** The programme's fields beside its benefits. */
  readonly programme: Partial<ProgrammeDefinition>;
  readonly basket: BasketRequest;
  /** The member who shows the card, and how much is left of limits that were used. */
  readonly circumstances: Pick<Circumstances, 'member' | 'left' | 'language'>;
  readonly answer: Record<string, unknown>;
}

const BLOCK = /^```(?:yaml|json) (benefits|basket|answer)\n([\s\S]*?)^```$/gm;

/** Every example of a page, under the heading it stands below. */
export function readExamples(path: string): Example[] {
  const sections = readFileSync(path, 'utf8').split(/^### /m).slice(1);
  return sections.flatMap((section) => {
    const blocks = new Map<string, unknown>();
    for (const [, name, text] of section.matchAll(BLOCK)) blocks.set(name!, parse(text!));
    if (blocks.size === 0) return [];
    const found = blocks.get('basket') as WrittenLines | WrittenBasket;
    const {
      lines,
      member = {},
      left = {},
      language,
      ...rest
    }: WrittenBasket = 'lines' in found ? found : { lines: found };
    const written = blocks.get('benefits') as BenefitDefinition[] | Partial<ProgrammeDefinition>;
    const { benefits = [], ...programme } = Array.isArray(written) ? { benefits: written } : written;
    return {
      title: section.slice(0, section.indexOf('\n')),
      benefits,
      programme,
      // Lines without a name are numbered.
      basket: buildBasket(
        lines.map((line, at) => buildLine({ lineId: String(at + 1), ...line })),
        rest,
      ),
      circumstances: { member, left, ...(language !== undefined && { language }) },
      answer: blocks.get('answer') as Record<string, unknown>,
    };
  });
}

/** Runs every example: priced as its page says, and loaded from a configuration. */
export function testExamples(examples: readonly Example[]): void {
  const staging = readFileSync('config/staging.yaml', 'utf8');
  const products = [...loadEnvironment(staging, 'config/staging.yaml').venues[0]!.products.values()];

  it.each(examples)('works $title out as the page says', ({ benefits, programme, basket, circumstances, answer }) => {
    const decision = priceFully(basket, benefits, { policies: programme, products, ...circumstances });
    expect(expectApplied(basket, decision)).toMatchObject(answer);
  });

  it.each(examples)('loads the benefits of $title from a configuration', ({ benefits, programme }) => {
    // A mapping has each name once.
    const bare = programme.memberLabel === undefined ? staging : staging.replaceAll(/^ {4}memberLabel: .*\n/gm, '');
    const text = bare.replace(/^ {4}existingLineDiscounts:[\s\S]*?(?=^ {2}- programmeId: harbour)/m, () => {
      const more = Object.entries(programme).map(([name, value]) => `    ${name}: ${JSON.stringify(value)}\n`);
      return `${more.join('')}    benefits: ${JSON.stringify(benefits)}\n\n`;
    });
    expect(text).not.toBe(bare);
    const [loaded] = loadEnvironment(text.replace(/^members:[\s\S]*/m, ''), 'example').programmes;
    expect([...loaded!.benefits, ...loaded!.disabled]).toHaveLength(benefits.length);
  });
}
