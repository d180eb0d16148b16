/** Service, client and kit read a secret alike: whoever can sign for one of them can for all. */
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readOptions as readClientOptions } from '../../packages/client/src/options.ts';
import { readOptions as readKitOptions } from '../../packages/conformance/src/kit/options.ts';
import { decodeSecret } from '../../src/contract/secret.ts';
import { readSecrets } from '../../src/settings/secrets.ts';

const BYTES = randomBytes(48);
const HEX = BYTES.toString('hex');
const KIT = ['--base-url', 'http://a', '--venue', 'v', '--bax', 'b'];

/** Each takes the text as it is handed over, and throws when it refuses it. */
const READERS: Record<string, (text: string) => Uint8Array> = {
  service: (text) => readSecrets(text)[0]!,
  client: (secret) => readClientOptions({ baseUrl: 'http://a', secret, outbox: '' }).secret,
  kit: (text) => readKitOptions([...KIT, `--secret=${text}`]).secret,
};

describe.each(Object.entries(READERS))('the %s', (_name, read) => {
  test.each([
    ['hex', HEX],
    ['hex in capitals', HEX.toUpperCase()],
    ['base64', BYTES.toString('base64')],
    ['base64 without padding', BYTES.toString('base64').replace(/=+$/, '')],
    ['base64url', BYTES.toString('base64url')],
    ['hex between blanks', ` ${HEX}\n`],
  ])('reads %s', (_form, text) => {
    expect(Buffer.from(read(text)).equals(BYTES)).toBe(true);
  });

  test.each([
    ['too few bytes', HEX.slice(0, 62)],
    ['a foreign character', `${HEX.slice(0, -1)}!`],
    ['a blank within', `${HEX.slice(0, 32)} ${HEX.slice(32)}`],
    ['three signs of padding', `${BYTES.toString('base64')}===`],
    ['padding within', `${'A'.repeat(42)}=${'A'.repeat(22)}`],
  ])('refuses %s, and does not quote it', (_form, text) => {
    let message = '';
    expect(() => {
      try {
        read(text);
      } catch (error) {
        message = (error as Error).message;
        throw error;
      }
    }).toThrow();
    expect(message).not.toContain(text);
  });
});

test('an odd number of hex digits is base64, since half a byte is none', () => {
  expect(decodeSecret('abc')).toEqual(Buffer.from('abc', 'base64'));
  expect(decodeSecret('')).toBeUndefined();
});
