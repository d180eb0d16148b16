/** A draft is reviewed: what is wrong, what would change, and the draft with a note that says why. */
import { describe, expect, test } from 'vitest';
import { reviewDraft } from '../../src/programme/draft-review.ts';
import { hasNote, withNote } from '../../src/programme/note.ts';
import type { EnvironmentSource } from '../../src/programme/source.ts';
import { configurationOf, TWENTY } from '../support/configuration.ts';

const { programmes, ...rest } = configurationOf({ programme: { benefits: [TWENTY] }, members: [] });
const programmesOf = (benefit: object) =>
  JSON.stringify({ programmes: [{ ...programmes[0], benefits: [{ ...TWENTY, ...benefit }] }] });
const draftOf = (benefit: object, own: object = {}): EnvironmentSource => ({
  path: 'folder',
  files: [
    { name: 'folder/environment.yaml', text: JSON.stringify({ ...own, ...rest, ...own }, null, 1) },
    { name: 'folder/programmes.yaml', text: programmesOf(benefit) },
  ],
});
const note = { text: 'Cheaper in spring', file: 'folder/programmes.yaml' };
const review = (source: EnvironmentSource, inForce = draftOf({})) =>
  reviewDraft({ source, inForce, today: '2026-11-24', note });

test('without a change nothing would change', () => {
  expect(review(draftOf({}))).toMatchObject({ kind: 'reviewed', faults: [], differences: [], restartedLimits: [] });
});

test('the note is written into the file that is changed, or into the one that has a note', () => {
  const [, changed] = review(draftOf({ percent: 25 })).noted!;
  expect(JSON.parse(changed!.text)).toMatchObject({ note: 'Cheaper in spring' });
  const [environment, programme] = review(draftOf({ percent: 25 }, { note: 'As it began' })).noted!;
  expect(JSON.parse(environment!.text)).toMatchObject({ note: 'Cheaper in spring' });
  expect(programme!.text).toBe(programmesOf({ percent: 25 }));
});

test('a draft with errors gets no note, and of a file that cannot be read no difference is told', () => {
  const faulty = review(draftOf({ percent: 250 }));
  expect([faulty.faults.length, faulty.noted]).toEqual([1, undefined]);
  expect(faulty.differences.map(({ text }) => text)).toEqual(['Twenty: 20 % → 250 %']);
  const [environment] = draftOf({}).files;
  const broken = review({ path: 'folder', files: [environment!, { name: 'folder/programmes.yaml', text: '{' }] });
  expect(broken.faults.length).toBeGreaterThan(0);
  expect([broken.differences, broken.noted]).toEqual([[], undefined]);
});

test('another name of the environment is a fault, as it is when it is put in force', () => {
  const other = review(draftOf({}, { environment: 'elsewhere' }));
  const allowed = `"${rest.environment}" while the service runs`;
  expect(other.faults).toMatchObject([{ path: 'environment', found: '"elsewhere"', allowed }]);
  expect([other.faults[0]!.line, other.noted]).toEqual([2, undefined]);
  // One that no environment may have has one fault, not two.
  expect(review(draftOf({}, { environment: 'Not a name' })).faults).toHaveLength(1);
});

test('a limit that would begin anew is told, but not while the draft has errors', () => {
  const limited = (period: string, percent = 20) =>
    draftOf({ percent, limit: { quantity: 1, period, counts: 'baskets' } });
  expect(review(limited('week'), limited('day')).restartedLimits).toEqual([
    'the limit of coffee-club twenty begins again: period was day and is week',
  ]);
  expect(review(limited('week', 250), limited('day')).restartedLimits).toEqual([]);
});

describe('the note of a file', () => {
  test.each([
    ['is put before the first name', '# a file\nvenues: []\n', '# a file\nnote: "Spring"\nvenues: []\n'],
    ['takes the place of the one before', 'note: Winter # old\nvenues: []\n', 'note: "Spring" # old\nvenues: []\n'],
    ['of several lines too', 'note: |\n  Winter\n  and snow\nvenues: []\n', 'note: "Spring"\nvenues: []\n'],
    ['at the end without a line break', 'a: 1\nnote: |-\n  x', 'a: 1\nnote: "Spring"'],
    ['in JSON', '{"venues": []}', '{"note": "Spring", "venues": []}'],
  ])('%s', (_, text, expected) => {
    expect(withNote(text, 'Spring')).toBe(expected);
    expect([hasNote(text), hasNote(expected)]).toEqual([text.includes('note'), true]);
  });
});
