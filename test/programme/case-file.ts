/** The files of test/programme/cases: what one is made of, and what is said of it. */
import { parse } from 'yaml';
import { inspectEnvironment } from '../../src/programme/inspect.ts';
import { sourceOf } from '../../src/programme/source.ts';
import type { Theme } from './tables.ts';

const coffee = {
  productId: '4711',
  productGroupId: 'coffee',
  name: 'Coffee',
  unitPrice: 3_900,
  noDiscount: false,
  noPercentageDiscount: false,
};
const bun = { ...coffee, productId: '4712', productGroupId: 'pastry', name: 'Bun', unitPrice: 4_500 };
export const oslo = {
  venueId: 'oslo',
  terminalSetups: ['1'],
  currencies: ['NOK'],
  timeZone: 'Europe/Oslo',
  programmeId: 'club',
  products: [coffee, bun],
};
const malmo = { ...oslo, venueId: 'malmo', currencies: ['SEK'], timeZone: 'Europe/Stockholm' };
const unlisted = { ...oslo, products: null };
const anna = { programmeId: 'club', loyaltyId: 'anna', status: 'active' };

type Fields = Record<string, unknown>;
const named: Record<string, Fields> = { coffee, bun, oslo, malmo, unlisted };

/** What has this name, or another one that differs in the fields after `is`; a field with null is left out. */
function thing(words: string | Fields): Fields {
  const { is, ...own } = typeof words === 'string' ? { is: words } : words;
  const fields = Object.entries({ ...named[is as string], ...own }).filter(([, value]) => value !== null);
  return Object.fromEntries(fields);
}

function venueOf(words: string | Fields, at: number): Fields {
  const venue: Fields = { ...thing(words), terminalSetups: [`${at + 1}`] };
  if (typeof words !== 'string' && words['terminalSetups']) venue['terminalSetups'] = words['terminalSetups'];
  if (Array.isArray(venue['products'])) venue['products'] = venue['products'].map(thing);
  return venue;
}

interface Around {
  readonly venues?: readonly (string | Fields)[];
  readonly programme?: Fields;
  readonly members?: readonly Fields[];
  readonly known?: readonly Fields[];
  /** Other fields of the file. */
  readonly file?: Fields;
}

/** What is said of a file with these benefits, errors first; the paths from the list of benefits on. */
function said(benefits: readonly Fields[], around: Around): string[] {
  const { venues = ['oslo'], programme = {}, members = [], known = [], file: settings } = around;
  const club = { programmeId: 'club', ...programme, benefits };
  const sold = venues.map(venueOf);
  const others = sold.filter(({ programmeId }) => programmeId !== 'club').map(({ programmeId }) => ({ programmeId }));
  const file = {
    environment: 'staging',
    venues: sold,
    programmes: [club, ...others],
    members: members.map((member) => ({ ...anna, ...member })),
    ...settings,
  };
  const today = '2026-11-21';
  const holders = known.map(({ grants = [] }) => ({ programmeId: 'club', grants: grants as string[] }));
  const { faults, warnings } = inspectEnvironment(sourceOf(JSON.stringify(file), 'x.yaml'), today, holders);
  const errors = faults.map(({ path, found, allowed, nearest }) => {
    const meant = nearest === undefined ? '' : `; did you mean ${nearest}?`;
    return `${path}: found ${found}, allowed: ${allowed}${meant}`;
  });
  const advice = warnings.map(({ path, text }) => `${path}: ${text}`);
  const short = (text: string) => text.replace('programmes[0].benefits', '').replace('programmes[0]', 'programme');
  return [...errors, ...advice].map(short);
}

/** What is said of the file of a line, which begins with the benefits and what is around them. */
export function tell(line: string, { word }: Theme): string[] {
  const [benefits, around] = parse(`[${line}]`) as [unknown, Around?];
  const each: Fields = parse(word('each') ?? '{}');
  const benefitOf = (benefit: unknown, at: number): Fields => {
    const own = { benefitId: `b${at}`, ...each, ...(benefit as Fields) };
    return 'kind' in own ? own : { kind: 'line_percent', percent: 10, ...own };
  };
  const about = new RegExp(word('about') ?? '');
  const given: Around = parse(word('given') ?? '{}');
  const sentences = said([benefits].flat().map(benefitOf), { ...given, ...around });
  return sentences.filter((sentence) => about.test(sentence));
}
