/** The files of test/programme/cases: what one is made of, and what is said of it. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { inspectEnvironment } from '../../src/programme/inspect.ts';
import { sourceOf } from '../../src/programme/source.ts';

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
}

/** What is said of a file with these benefits, errors first; the paths from the list of benefits on. */
function said(benefits: readonly Fields[], around: Around): string[] {
  const { venues = ['oslo'], programme = {}, members = [], known = [] } = around;
  const club = { programmeId: 'club', ...programme, benefits };
  const sold = venues.map(venueOf);
  const others = sold.filter(({ programmeId }) => programmeId !== 'club').map(({ programmeId }) => ({ programmeId }));
  const file = {
    environment: 'staging',
    venues: sold,
    programmes: [club, ...others],
    members: members.map((member) => ({ ...anna, ...member })),
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

const SPOKEN = ' → ';

export interface Theme {
  readonly heading: string;
  readonly lines: string[];
  /** The same lines with what is said now. */
  readonly told: () => string[];
}

/** The themes of one file of cases. */
export function themesOf(name: string): Theme[] {
  const text = readFileSync(new URL(`cases/${name}`, import.meta.url), 'utf8');
  return text.split(/^# /m).slice(1).map(themeOf);
}

function themeOf(text: string): Theme {
  const [heading = '', ...words] = text.split('\n').filter((line) => line !== '');
  const lines = words.filter((line) => /^[[{]/.test(line));
  const word = (name: string) => words.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1);
  const given: Around = parse(word('given') ?? '{}');
  const each: Fields = parse(word('each') ?? '{}');
  const about = new RegExp(word('about') ?? '');
  const benefitOf = (benefit: unknown, at: number): Fields => {
    const own = { benefitId: `b${at}`, ...each, ...(benefit as Fields) };
    return 'kind' in own ? own : { kind: 'line_percent', percent: 10, ...own };
  };
  const tell = (line: string) => {
    const left = line.split(SPOKEN)[0]!;
    const [benefits, around] = parse(`[${left}]`) as [unknown, Around?];
    const sentences = said([benefits].flat().map(benefitOf), { ...given, ...around });
    return [left, sentences.filter((sentence) => about.test(sentence)).join(' ⏎ ')].filter(Boolean).join(SPOKEN);
  };
  return { heading, lines, told: () => lines.map(tell) };
}
