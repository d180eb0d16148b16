/** How calculations ended, as the lines of an input say it, whatever program wrote them. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { findFate, isEndLine, readEnds } from '../../packages/tools/src/backtest/ends.ts';
import { basketOf } from '../support/baskets.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';

afterAll(cleanUp);

async function readLines(lines: readonly string[]) {
  const file = join(temporaryDirectory(), 'baskets.ndjson');
  writeFileSync(file, lines.join('\n'));
  return readEnds([file]);
}

/** Writes JSON in one line with white space around every token, as other programs do. */
function spaced(value: unknown, space: string): string {
  return JSON.stringify(value, undefined, '\u0001')
    .replaceAll(/\n\u0001*/g, space)
    .replaceAll('": ', `"${space}:${space}`);
}

it.each(['', ' ', '\t', '  \t '])('white space between tokens (%j) changes nothing', async (space) => {
  const [superseded, sold, other] = [randomUUID(), randomUUID(), randomUUID()];
  const lines = [
    { end: { calculationId: sold, kind: 'sale', status: 'applied' } },
    basketOf([{}], { supersedesCalculationId: superseded }),
    basketOf([{}], { calculationId: other }),
  ].map((value) => spaced(value, space));
  expect(lines.map(isEndLine)).toEqual([true, false, false]);
  const ends = await readLines(lines);
  expect([superseded, sold, other].map((id) => findFate(ends, id))).toEqual(['superseded', 'sold', undefined]);
});

it('a byte order mark in front of an end changes nothing', async () => {
  const sold = randomUUID();
  const ends = await readLines([`\ufeff{"end":{"calculationId":"${sold}","kind":"sale","status":"applied"}}`]);
  expect(findFate(ends, sold)).toBe('sold');
});

it('words inside a text are no field', async () => {
  const [first, second] = [randomUUID(), randomUUID()];
  const text = `{"end":{"calculationId":"${first}","kind":"sale","status":"applied"}}`;
  const ends = await readLines([
    JSON.stringify(basketOf([{ productId: text }])),
    JSON.stringify(basketOf([{ productId: `"supersedesCalculationId":"${second}"` }])),
  ]);
  expect([first, second].map((id) => findFate(ends, id))).toEqual([undefined, undefined]);
});
