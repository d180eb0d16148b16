/** Tokens of the operations port: `Authorization: Bearer …` against the tokens that are set. */
import { expect, test } from 'vitest';
import { matchBearer } from '../src/bearer.ts';

const TOKENS = ['first-token', 'second-token', 'second-token'];

test.each([
  ['Bearer first-token', 0],
  ['bearer   second-token', 1],
  ['Bearer third-token', undefined],
  ['Bearer first-toke', undefined],
  ['Bearer first-token more', undefined],
  ['Bearer', undefined],
  ['Bearer ', undefined],
  ['Basic first-token', undefined],
  ['x Bearer first-token', undefined],
  ['', undefined],
  [undefined, undefined],
])('%s names the token at %s', (header, index) => {
  expect(matchBearer(header, TOKENS)).toBe(index);
});
