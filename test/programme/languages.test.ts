/** Texts by language: what a venue's guests read, and what a comparison says of it. */
import { describe, expect, it, test } from 'vitest';
import { findDifferences } from '../../src/programme/differences/differences.ts';
import { loadEnvironment } from '../../src/programme/load.ts';

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
