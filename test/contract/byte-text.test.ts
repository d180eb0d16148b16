/** Texts of one character a byte of UTF-8, and back. */
import { expect, test } from 'vitest';
import { decoded, sealed, toByteText, toText } from '../../src/contract/byte-text.ts';

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

test('half a character has no bytes', () => {
  expect(toByteText('a\ud83c')).toBeUndefined();
});

test('a value of byte texts is decoded with all of its strings', () => {
  expect(decoded(sealed({ name: 'Ã©', list: ['Ã©', 1] }))).toEqual({ name: 'é', list: ['é', 1] });
});
