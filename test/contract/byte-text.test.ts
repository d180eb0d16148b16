/** Texts of one character a byte of UTF-8, and back. */
import { expect, test } from 'vitest';
import { decoded, encoded, sealed, toByteText, toText, unsealed } from '../../src/contract/byte-text.ts';

test.each([
  ['', ''],
  ['Kaffe', 'Kaffe'],
  ['\x7f', '\x7f'],
  ['\x80', '\xc2\x80'],
  ['é', 'Ã©'],
  ['a🍪b', 'a\xf0\x9f\x8d\xaab'],
  ['aé', 'aÃ©'],
  ['éa', 'Ã©a'],
])('%j has the bytes %j', (text, byteText) => {
  expect(toByteText(text)).toBe(byteText);
  expect(toText(byteText)).toBe(text);
});

test('half a character stays as it is', () => {
  expect(toByteText('aé\ud83c')).toBe('aÃ©\ud83c');
  expect(toText('aÃ©\ud83c')).toBe('aé\ud83c');
});

test('a value of byte texts is decoded with all of its strings', () => {
  expect(decoded(sealed({ name: 'Ã©', list: ['Ã©', 1] }))).toEqual({ name: 'é', list: ['é', 1] });
  expect(encoded({ name: 'é', list: ['é', 1] })).toEqual({ name: 'Ã©', list: ['Ã©', 1] });
});

test('a sealed value is opened as it is', () => {
  const value = { name: 'Ã©' };
  expect(unsealed(sealed(value))).toBe(value);
});
