/** The text of a secret, as the keys of a till and of the service are handed over. */
import { expect, test } from 'vitest';
import { fingerprintOf } from '../src/fingerprint.ts';
import { decodeSecret } from '../src/secret.ts';

test.each([
  ['hex', '00ff10', [0x00, 0xff, 0x10]],
  ['hex in capitals', 'AB', [0xab]],
  ['base64', 'ab+/', [0x69, 0xbf, 0xbf]],
  ['base64url', 'ab-_', [0x69, 0xbf, 0xbf]],
  ['base64 with one sign of padding', '+/8=', [0xfb, 0xff]],
  ['base64 with two', '/w==', [0xff]],
  ['base64 without padding', '/w', [0xff]],
  ['what is hex but for its first character', 'zab0', [0xcd, 0xa6, 0xf4]],
  ['what is hex but for its last character', 'ab0z', [0x69, 0xbd, 0x33]],
])('%s is read', (_form, text, bytes) => {
  expect([...decodeSecret(text)!]).toEqual(bytes);
});

test.each(['', '!', '=', 'ab!c', '!abc', 'abc!', 'a===', 'ab=c'])('%j is no secret', (text) => {
  expect(decodeSecret(text)).toBeUndefined();
});

test('a body has the fingerprint of its bytes', () => {
  expect(fingerprintOf(Buffer.from('abc'))).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
});
