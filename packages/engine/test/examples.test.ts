import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { BENEFIT_SCHEMAS } from '../../../src/programme/benefit-schema.ts';
import { localTime } from '../src/compile/calendar.ts';
import { compileWindow, isOpen, type WhenDefinition } from '../src/compile/window.ts';
import { readExamples, testExamples } from './support/examples.ts';

const examples = readExamples('docs/benefits.md');

describe('packages/engine/README.md', () => testExamples(readExamples('packages/engine/README.md')));

describe('docs/benefits.md', () => {
  it('has a worked example of every kind', () => {
    const kinds = examples.flatMap(({ benefits }) => benefits.map(({ kind }) => kind));
    expect(new Set(kinds)).toEqual(new Set(BENEFIT_SCHEMAS.keys()));
  });

  testExamples(examples);

  /** The first minute of 27 November, in UTC, in which the page's block admits a basket of each venue. */
  function startsOf(block: string): Record<string, string> {
    const page = readFileSync('docs/benefits.md', 'utf8');
    const written: WhenDefinition | WhenDefinition[] = parse(page.split(`\`\`\`yaml ${block}\n`)[1]!.split('```')[0]!);
    const windows = [written].flat();
    const zones = { oslo: 'Europe/Oslo', helsinki: 'Europe/Helsinki', london: 'Europe/London' };
    const starts = Object.entries(zones).map(([venueId, zone]) => {
      const own = windows.filter(({ venueIds }) => venueIds?.includes(venueId) ?? true);
      const minutes = Array.from({ length: 24 * 60 }, (_, minute) =>
        new Date(Date.UTC(2026, 10, 27, 0, minute)).toISOString(),
      );
      const first = minutes.find((instant) =>
        own.some((when) => isOpen(compileWindow(when)!, localTime(instant, zone))),
      );
      return [venueId, first!.slice(11, 16)];
    });
    return Object.fromEntries(starts);
  }

  it('starts a campaign in three countries on each morning, or at one instant', () => {
    expect(startsOf('at each morning')).toEqual({ helsinki: '04:00', oslo: '05:00', london: '06:00' });
    expect(startsOf('at one instant')).toEqual({ helsinki: '05:00', oslo: '05:00', london: '05:00' });
  });
});
