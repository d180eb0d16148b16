import { expect, test } from 'vitest';
import { valueAt } from '../../src/kit/judge/pointer.ts';

test('a JSON Pointer finds escaped names and points at nothing where nothing is', () => {
  expect(valueAt({ 'a/b': [{ '~': 7 }] }, '/a~1b/0/~0')).toBe(7);
  expect(valueAt({ a: 1 }, '/toString')).toBeUndefined();
});

test('the empty pointer is the document, and a path without its slash is no pointer', () => {
  expect(valueAt({ a: 1 }, '')).toEqual({ a: 1 });
  expect(valueAt({ a: 1, xa: 2 }, 'xa')).toBeUndefined();
});

test('nothing stands below a text, a number or null', () => {
  const document = { text: 'abc', number: 7, nothing: null };
  for (const pointer of ['/text/0', '/text/length', '/number/0', '/nothing/0']) {
    expect(valueAt(document, pointer)).toBeUndefined();
  }
});
