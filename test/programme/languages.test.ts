/** Texts by language: what a venue's guests read, in texts and in bytes, and what `check` and a comparison say of it. */
import { describe, expect, it, test } from 'vitest';
import { findDifferences } from '../../src/programme/differences/differences.ts';
import { inspectEnvironment } from '../../src/programme/inspect.ts';
import { loadEnvironment } from '../../src/programme/load.ts';
import { sourceOf } from '../../src/programme/source.ts';

const CAKE = { nb: 'Bursdagskake', sv: 'Födelsedagstårta', en: 'Birthday cake' };
const cake = { benefitId: 'cake', kind: 'line_percent', percent: 50, text: CAKE as object | string };
const label = { nb: 'Klubben', sv: 'Klubb' };

function venueOf(venueId: string, language?: string, more: object = {}) {
  const own = { venueId, terminalSetups: [venueId], currencies: ['NOK'], timeZone: 'Europe/Oslo', programmeId: 'club' };
  return { ...own, ...(language !== undefined && { language }), ...more };
}

function fileOf(
  venues: readonly object[],
  benefits: readonly object[] = [cake],
  more: object = { memberLabel: label },
) {
  return { environment: 'staging', venues, programmes: [{ programmeId: 'club', ...more, benefits }] };
}

const load = (file: object) => loadEnvironment(JSON.stringify(file), 'x.yaml');

function faultsOf(file: object): string[] {
  const { faults } = inspectEnvironment(sourceOf(JSON.stringify(file), 'x.yaml'), '2026-11-21');
  return faults.map(({ path }) => path);
}

function warningsOf(file: object, told = /get the first text/): string[] {
  const { faults, warnings } = inspectEnvironment(sourceOf(JSON.stringify(file), 'x.yaml'), '2026-11-21');
  expect(faults).toEqual([]);
  return warnings.map(({ path, text }) => `${path}: ${text}`).filter((warning) => told.test(warning));
}

describe('the guests of a venue', () => {
  const environment = load(
    fileOf([venueOf('1', 'nb'), venueOf('2', 'sv'), venueOf('3', 'en-GB'), venueOf('4', 'fi'), venueOf('5')]),
  );
  it.each([
    ['1', 'Bursdagskake', 'Klubben'],
    ['2', 'Födelsedagstårta', 'Klubb'],
    ['3', 'Birthday cake', 'Klubben'],
    ['4', 'Bursdagskake', 'Klubben'],
    ['5', 'Bursdagskake', 'Klubben'],
  ])('of venue %s read %s and %s', (id, text, memberLabel) => {
    const { programme } = environment.findVenue(id, id)!;
    expect(programme.memberLabel).toBe(memberLabel);
    expect(programme.benefits.map((benefit) => benefit.text)).toEqual([text]);
  });

  it('read the text of exactly the language before that without its region', () => {
    const both = { ...cake, text: { en: 'Colour', 'en-GB': 'Colours' } };
    expect(load(fileOf([venueOf('1', 'en-GB')], [both])).venues[0]!.programme.benefits[0]!.text).toBe('Colours');
  });

  it('read it in every currency', () => {
    const text = { nb: 'Kupong', sv: 'Kupong på svenska' };
    const amount = { benefitId: 'voucher', kind: 'order_amount', amount: { NOK: 500, SEK: 550 }, text };
    const venue = venueOf('1', 'sv', { currencies: ['NOK', 'SEK'] });
    const { programme } = load(fileOf([venue], [amount])).venues[0]!;
    const texts = ['NOK', 'SEK'].map((currency) => programme.inCurrency.get(currency)!.benefits[0]!.text);
    expect(texts).toEqual([text.sv, text.sv]);
  });
});

test('venues share a programme that has no texts by language, whatever their languages', () => {
  const venues = [venueOf('1', 'nb'), venueOf('2', 'sv')];
  const plain = load(fileOf(venues, [{ ...cake, text: 'Cake' }], {}));
  expect(plain.venues[0]!.programme).toBe(plain.venues[1]!.programme);
});

test.each<[object, string]>([
  [fileOf([venueOf('1', 'Norwegian')]), 'venues[0].language'],
  [fileOf([venueOf('1')], [{ ...cake, text: {} }]), 'programmes[0].benefits[0].text'],
  [fileOf([venueOf('1')], [{ ...cake, text: { norsk: 'Kake' } }]), 'programmes[0].benefits[0].text'],
  [fileOf([venueOf('1')], [{ ...cake, text: { nb: 'x'.repeat(41) } }]), 'programmes[0].benefits[0].text.nb'],
  [fileOf([venueOf('1')], [cake], { memberLabel: { nb: '' } }), 'programmes[0].memberLabel.nb'],
])('%# is refused at %s', (file, path) => {
  expect(faultsOf(file)).toEqual([path]);
});

describe('`check` warns', () => {
  it('once of each language that a text lacks', () => {
    const venues = [venueOf('1', 'nb'), venueOf('2', 'fi'), venueOf('3', 'fi'), venueOf('4')];
    expect(warningsOf(fileOf(venues, [cake], {}))).toEqual([
      'programmes[0].benefits[0].text: it has no text in fi, the language of venue 2: its guests get the first text, in nb',
      'programmes[0].benefits[0].text: venue 4 has no language: its guests get the first text, in nb',
    ]);
  });

  it('of the label', () => {
    expect(warningsOf(fileOf([venueOf('1', 'en')]))).toEqual([
      'programmes[0].memberLabel: it has no text in en, the language of venue 1: its guests get the first text, in nb',
    ]);
  });

  it('neither of a venue where the benefit is closed, nor of one whose region has no text of its own', () => {
    const here = { ...cake, when: { venueIds: ['1'] } };
    expect(warningsOf(fileOf([venueOf('1', 'en-GB'), venueOf('2', 'fi')], [here], {}))).toEqual([]);
  });

  it('of the first fifty in any language', () => {
    const first = { ...cake, text: { nb: 'Kake', sv: 'Första 50' } };
    const limited = { ...first, limit: { quantity: 50, period: 'lifetime', counts: 'baskets' } };
    const file = JSON.stringify(fileOf([venueOf('1', 'nb')], [limited]));
    const { warnings } = inspectEnvironment(sourceOf(file, 'x.yaml'), '2026-11-21');
    expect(warnings.map(({ path }) => path)).toContain('programmes[0].benefits[0].limit.quantity');
  });

  it('of a text that a # has cut', () => {
    const file = `environment: staging
venues:
  - { venueId: '1', terminalSetups: ['1'], currencies: [NOK], timeZone: Europe/Oslo, language: nb, programmeId: club }
programmes:
  - programmeId: club
    benefits:
      - benefitId: cake
        kind: line_percent
        percent: 50
        text:
          nb: Kake # nummer en
`;
    const { warnings } = inspectEnvironment(sourceOf(file, 'x.yaml'), '2026-11-21');
    expect(warnings.map(({ path }) => path)).toContain('programmes[0].benefits[0].text.nb');
  });
});

test('a comparison names the language of what changed', () => {
  const words = (before: object, after: object) =>
    findDifferences(fileOf([venueOf('1', 'nb')], [before]), fileOf([venueOf('1', 'sv')], [after])).map(
      ({ text }) => text,
    );
  expect(words(cake, { ...cake, text: { ...CAKE, sv: 'Tårta' } })).toEqual([
    'Bursdagskake: text in sv "Födelsedagstårta" → "Tårta"',
    '1: language nb → sv',
  ]);
  expect(words({ ...cake, text: 'Cake' }, { ...cake, text: { nb: 'Kake', sv: 'Tårta' } })[0]).toBe(
    'Kake: text "Cake" → nb "Kake", sv "Tårta"',
  );
});

test('a text that a receipt cannot print is warned of', () => {
  const told = (text: object | string, memberLabel: object | string = 'Club') =>
    warningsOf(fileOf([venueOf('1', 'nb')], [{ ...cake, text }], { memberLabel }), /it has/);
  const SIGN = 'it has a line break, or another sign that no receipt prints: write it on the line of its name';
  const path = 'programmes[0].benefits[0].text';
  expect([told('Birthday cake – 50 %'), told({ nb: 'Kake' })]).toEqual([[], []]);
  for (const text of ['Cake\n', 'Birthday\ncake', '\tCake', 'Ca\u0000ke', 'Cake\u2028']) {
    expect(told(text)).toEqual([`${path}: ${SIGN}`]);
  }
  expect(told({ nb: 'Kake', sv: 'Tårta\n' })).toEqual([`${path}.sv: ${SIGN}`]);
  expect(told('Cake', { nb: ' ' })).toEqual(['programmes[0].memberLabel.nb: it has blanks alone: leave it out']);
});
