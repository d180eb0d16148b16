import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { BasketLine } from '../../../src/contract/basket-request.ts';
import type { BenefitDefinition, ProgrammeDefinition } from '../../../src/pricing/definition.ts';
import { buildLine } from './basket.ts';

/**
 * A worked example of docs/benefits.md: three fenced blocks marked `benefits` (a list, or a programme with one), `basket`
 * and `answer`.
 */
export interface Example {
  readonly title: string;
  readonly benefits: readonly BenefitDefinition[];
  /** What the programme says beside its benefits. */
  readonly programme: Partial<ProgrammeDefinition>;
  readonly lines: readonly BasketLine[];
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
    const lines = blocks.get('basket') as Partial<BasketLine>[];
    const written = blocks.get('benefits') as BenefitDefinition[] | Partial<ProgrammeDefinition>;
    const { benefits = [], ...programme } = Array.isArray(written) ? { benefits: written } : written;
    return {
      title: section.slice(0, section.indexOf('\n')),
      benefits,
      programme,
      // Lines without a name are numbered.
      lines: lines.map((line, at) => buildLine({ lineId: String(at + 1), ...line })),
      answer: blocks.get('answer') as Record<string, unknown>,
    };
  });
}
