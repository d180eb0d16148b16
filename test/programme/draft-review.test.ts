/** A draft is reviewed: what is wrong, what would change, and the draft with a note that says why. */
import { expect, test } from 'vitest';
import { reviewDraft } from '../../src/programme/draft-review.ts';
import type { EnvironmentSource } from '../../src/programme/source.ts';
import { configurationOf, TWENTY } from '../support/configuration.ts';

const today = '2026-11-24';
const { programmes, ...rest } = configurationOf({ programme: { benefits: [TWENTY] }, members: [] });
const programmesOf = (percent: number) =>
  JSON.stringify({ programmes: [{ ...programmes[0], benefits: [{ ...TWENTY, percent }] }] });
const sourceOf = (percent: number, own: object): EnvironmentSource => ({
  path: 'folder',
  files: [
    { name: 'folder/environment.yaml', text: JSON.stringify({ ...own, ...rest }) },
    { name: 'folder/programmes.yaml', text: programmesOf(percent) },
  ],
});
const plain = (percent: number) => sourceOf(percent, {});
const withNote = (percent: number) => sourceOf(percent, { note: 'As it began' });
const note = { text: 'Cheaper in spring', file: 'folder/programmes.yaml' };

test('without a change nothing would change', () => {
  const { faults, differences, noted } = reviewDraft({ source: plain(20), inForce: plain(20), today });
  expect([faults, differences, noted]).toEqual([[], [], undefined]);
});

test('the note is written into the file that is changed, or into the one that has a note', () => {
  const [, changed] = reviewDraft({ source: plain(25), inForce: plain(20), today, note }).noted!;
  expect(JSON.parse(changed!.text)).toMatchObject({ note: 'Cheaper in spring' });
  const [environment, programme] = reviewDraft({ source: withNote(25), inForce: withNote(20), today, note }).noted!;
  expect(JSON.parse(environment!.text)).toMatchObject({ note: 'Cheaper in spring' });
  expect(programme!.text).toBe(programmesOf(25));
});

test('a draft with errors gets no note, and of a file that cannot be read no difference is told', () => {
  const faulty = reviewDraft({ source: plain(250), inForce: plain(20), today, note });
  expect([faulty.faults.length, faulty.noted]).toEqual([1, undefined]);
  expect(faulty.differences.map(({ text }) => text)).toEqual(['Twenty: 20 % → 250 %']);
  const [environment] = plain(20).files;
  const broken = { path: 'folder', files: [environment!, { name: 'folder/programmes.yaml', text: '{' }] };
  const review = reviewDraft({ source: broken, inForce: plain(20), today, note });
  expect(review.faults.length).toBeGreaterThan(0);
  expect([review.differences, review.noted]).toEqual([[], undefined]);
});

test('another name of the environment is a fault, as it is when it is put in force', () => {
  const named = (environment: string): EnvironmentSource => ({
    path: 'x.yaml',
    files: [{ name: 'x.yaml', text: JSON.stringify({ ...rest, environment, programmes }, null, 1) }],
  });
  const { environment } = rest;
  const review = (name: string) => reviewDraft({ source: named(name), inForce: named(environment), today, note });
  expect(review(environment).faults).toEqual([]);
  const other = review('elsewhere');
  expect(other.faults).toMatchObject([
    { file: 'x.yaml', path: 'environment', found: '"elsewhere"', allowed: `"${environment}" while the service runs` },
  ]);
  expect(other.faults[0]!.line).toBeGreaterThan(1);
  expect(other.noted).toBeUndefined();
  // One that no environment may have has one fault, not two.
  expect(review('Not a name').faults).toHaveLength(1);
});

test('a limit that would begin anew is told, but not while the draft has errors', () => {
  const limited = (period: string, percent: number) =>
    JSON.stringify({
      ...rest,
      programmes: [
        { ...programmes[0], benefits: [{ ...TWENTY, percent, limit: { quantity: 1, period, counts: 'baskets' } }] },
      ],
    });
  const review = (percent: number) =>
    reviewDraft({
      source: { path: 'x.yaml', files: [{ name: 'x.yaml', text: limited('week', percent) }] },
      inForce: { path: 'x.yaml', files: [{ name: 'x.yaml', text: limited('day', 20) }] },
      today,
    });
  expect(review(20)).toMatchObject({
    kind: 'reviewed',
    restartedLimits: ['the limit of coffee-club twenty begins again: period was day and is week'],
  });
  expect(review(250).restartedLimits).toEqual([]);
});

test('a draft that is no mapping, or is compared with none, has no limit that begins anew', () => {
  const review = (text: string, inForce: string) => {
    const [source, before] = [text, inForce].map((each) => ({
      path: 'x.yaml',
      files: [{ name: 'x.yaml', text: each }],
    }));
    const { faults, differences, restartedLimits, noted } = reviewDraft({
      source: source!,
      inForce: before!,
      today,
      note,
    });
    return [faults.length > 0, differences.length, restartedLimits, noted];
  };
  const whole = JSON.stringify({ ...rest, programmes });
  for (const nothing of ['', '5', 'a text', '{']) expect(review(nothing, whole)).toEqual([true, 0, [], undefined]);
  for (const nothing of ['', '{', '{}']) {
    const [isFaulty, differences, restarted] = review(whole, nothing);
    expect([isFaulty, restarted]).toEqual([false, []]);
    expect(differences).toBeGreaterThan(0);
  }
});
