import { expect, test } from 'vitest';
import { valueAt } from '../../src/kit/judge/pointer.ts';

test('a JSON Pointer finds escaped names and points at nothing where nothing is', () => {
  expect(valueAt({ 'a/b': [{ '~': 7 }] }, '/a~1b/0/~0')).toBe(7);
  expect(valueAt({ a: 1 }, '/toString')).toBeUndefined();
});
